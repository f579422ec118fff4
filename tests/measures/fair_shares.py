"""Weighted max-min fair shares over pools within pools."""

import bisect
import math

UNBOUNDED = math.inf
PRIORITIES = ["very-high", "high", "normal", "low", "very-low"]


class Sums:
    """What claims take together at each of some levels, as a sequence."""

    def __init__(self, levels, at):
        self.levels, self.at = levels, at

    def __len__(self):
        return len(self.levels)

    def __getitem__(self, i):
        return sum(self.at(self.levels[i]))


def fill(units, claims):
    """Shares of claims (weight, min, demand): min(demand, max(r weight, min(min, demand))) that sum to `units`."""
    if sum(demand for _, _, demand in claims) <= units:
        return [demand for _, _, demand in claims]
    floors = [min(least, demand) for _, least, demand in claims]
    promised = sum(floors)
    if promised >= units:
        return [floor * units / promised if promised else 0.0 for floor in floors]

    def at(level):
        return [min(demand, max(level * weight, floor))
                for (weight, _, demand), floor in zip(claims, floors)]

    bends = sorted({floor / weight for (weight, _, _), floor in zip(claims, floors)} |
                   {demand / weight for weight, _, demand in claims if demand < UNBOUNDED})
    low = bisect.bisect_right(Sums(bends, at), units) - 1
    level = bends[low] if low >= 0 else 0.0
    shares = at(level)
    rising = sum(weight for (weight, _, demand), share, floor in zip(claims, shares, floors)
                 if share < demand and level * weight >= floor - 1e-15 * max(1.0, floor))
    return at(level + (units - sum(shares)) / rising) if rising else shares


class Tree:
    """Pools within pools, and the frameworks in them."""

    def __init__(self):
        self.pools = {"": self.settings()}  # by path
        self.members = []  # (pool, user, priority), in the order in which they came
        self.users = {}
        self.waiting = set()

    @staticmethod
    def settings():
        return {"weight_milli": 1000, "min_share": {}, "order": "fair", "max_running": 0,
                "max_running_per_user": 0, "user_limit": 100}

    def ensure(self, path):
        for depth in range(path.count(".") + 1 if path else 0):
            self.pools.setdefault(".".join(path.split(".")[:depth + 1]), self.settings())

    def above(self, path):
        while True:
            yield path
            if not path:
                return
            path = path.rpartition(".")[0]

    def add(self, pool, user, priority):
        self.ensure(pool)
        self.members.append((pool, user, priority))
        self.admit()

    def admit(self):
        places, of_user = {}, {}
        self.waiting = set()
        for n in sorted(range(len(self.members)), key=lambda n: (PRIORITIES.index(self.members[n][2]), n)):
            pool, user, _ = self.members[n]
            for path in self.above(pool):
                most = self.pools[path]["max_running"]
                most_of_user = self.pools[path]["max_running_per_user"]
                if path == "" and user in self.users:
                    most_of_user = self.users[user]
                if most and places.get(path, 0) >= most or \
                        most_of_user and of_user.get((path, user), 0) >= most_of_user:
                    self.waiting.add(n)
            if n in self.waiting:
                continue
            for path in self.above(pool):
                places[path] = places.get(path, 0) + 1
                of_user[(path, user)] = of_user.get((path, user), 0) + 1

    def shares(self, kind, slots, demands):
        wants = dict.fromkeys(self.pools, 0.0)
        for n, (pool, _, _) in enumerate(self.members):
            for path in self.above(pool):
                wants[path] += demands[n]
        shares = [0.0] * len(self.members)

        def split(path, units):
            pool = self.pools[path]
            if pool["user_limit"] < 100:
                raise SystemExit("pools with a user limit are not known here")
            inner = sorted(p for p in self.pools if p and p.rpartition(".")[0] == path)
            mine = [n for n, member in enumerate(self.members) if member[0] == path]
            if pool["order"] == "fifo":
                rank = [(PRIORITIES.index("normal"), wants[p], p) for p in inner] + \
                       [(PRIORITIES.index(self.members[n][2]), demands[n], n) for n in mine]
                parts, left = {}, units
                for _, wanted, who in sorted(rank, key=lambda item: item[0]):
                    parts[who] = min(left, wanted)
                    left -= parts[who]
                for p in inner:
                    split(p, parts[p])
                for n in mine:
                    shares[n] = parts[n]
                return
            guaranteed = pool["order"] == "fair"
            claims = [(self.pools[p]["weight_milli"] / 1000,
                       self.pools[p]["min_share"].get(kind, 0) if guaranteed else 0, wants[p]) for p in inner]
            parts = fill(units, claims + [(1.0, 0, demands[n]) for n in mine])
            for p, part in zip(inner, parts):
                split(p, part)
            for n, part in zip(mine, parts[len(inner):]):
                shares[n] = part

        split("", min(slots, wants[""]))
        return shares
