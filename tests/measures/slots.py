"""What is integrated over time: the slots of a kind, and the shares of jobs."""

import math

from fair_shares import fill

SERVED = 0.95
NOTHING = 1e-9  # slots; what is below is left over from computing with real numbers
MOST_NAMED = 32
BULK = ("cpus", "gpus", "memory")


def jain(values):
    squares = sum(x * x for x in values)
    return sum(values) ** 2 / (len(values) * squares) if len(values) >= 2 and squares > 0 else None


class Use:
    """What one framework has and wants of a kind."""

    def __init__(self):
        self.running = self.offered = 0
        self.demand = 0
        self.declines = False
        self.refuses_until = -math.inf


class Deficit:
    def __init__(self):
        self.all = self.declined = 0.0

    def add(self, lack, declined, seconds):
        lack = max(0.0, lack)
        self.all += lack * seconds
        self.declined += min(lack, declined) * seconds

    def tell(self, of, measures):
        measures["deficit." + of] = self.all
        measures["deficit_declined." + of] = self.declined
        measures["deficit_imposed." + of] = self.all - self.declined


class Kind:
    """The slots of one kind, integrated from `begin` to `end`."""

    def __init__(self, name, run):
        self.name, self.run = name, run
        self.slots = 0
        self.uses = [Use() for _ in run.frameworks]
        self.now = run.begin
        self.fair = None
        self.jain = self.jain_time = self.busy = self.busy_time = 0.0
        self.deficit = Deficit()
        self.idle = [0.0] * 4
        self.mine = {}  # framework or (pool,): [running, due, deficit]
        self.wanted, self.served = {}, {}  # by framework or (pool,)

    def changed(self):
        self.fair = None

    def until(self, time):
        time = min(time, self.run.end)
        while self.now < time:
            if self.fair is None:
                demands = [max(0 if n in self.run.tree.waiting else use.demand, use.running)
                           for n, use in enumerate(self.uses)]
                self.fair = self.run.tree.shares(self.name, self.slots, demands)
            stops = [use.refuses_until for use in self.uses if use.refuses_until > self.now]
            stop = min([time] + stops)
            self.add(stop - self.now)
            self.now = stop

    def add(self, seconds):
        pools, xs = {}, []
        wishes = {True: 0.0, False: 0.0}
        running = offered = 0
        for n, use in enumerate(self.uses):
            if not (use.running or use.offered or use.demand):
                continue
            running += use.running
            offered += use.offered
            due = min(self.fair[n], use.demand)
            if due > NOTHING:
                xs.append(use.running / due)
                if n in self.wanted and use.running + NOTHING >= SERVED * due:
                    self.served.setdefault(n, self.now)
            refuses = use.declines or self.now < use.refuses_until
            wishes[refuses] += max(0, use.demand - use.running - use.offered)
            lack = due - use.running
            declined = max(0.0, lack) if use.declines else 0.0
            self.deficit.add(lack, declined, seconds)
            mine = self.mine.setdefault(n, [0.0, 0.0, Deficit()])
            mine[0] += use.running * seconds
            mine[1] += due * seconds
            mine[2].add(lack, declined, seconds)
            pool = self.run.frameworks[n][1]
            if pool:
                sums = pools.setdefault((pool,), [0, 0.0, 0.0, 0.0])
                sums[0] += use.running
                sums[1] += due
                sums[2] += declined
                sums[3] += use.demand
        for pool, (runs, due, declined, demand) in pools.items():
            mine = self.mine.setdefault(pool, [0.0, 0.0, Deficit()])
            mine[0] += runs * seconds
            mine[1] += due * seconds
            mine[2].add(due - runs, declined, seconds)
            least = self.run.tree.pools[pool[0]]["min_share"].get(self.name, 0)
            if least and demand and pool in self.wanted and runs >= min(least, demand):
                self.served.setdefault(pool, self.now)
        if self.slots > 0:
            self.busy += running / self.slots * seconds
            self.busy_time += seconds
        index = jain(xs)
        if index is not None:
            self.jain += index * seconds
            self.jain_time += seconds
        idle = max(0, self.slots - running)
        on_offer = min(max(0, offered), idle)
        declined = min(wishes[True], idle - on_offer)
        withheld = min(wishes[False], idle - on_offer - declined)
        for i, slots in enumerate((on_offer, declined, withheld, idle - on_offer - declined - withheld)):
            self.idle[i] += slots * seconds

    def tell_of_bulk(self, measures, tenants):
        """Bulk resources are owed by dominant share, not kind by kind."""
        if self.busy_time > 0:
            measures["utilisation." + self.name] = self.busy / self.busy_time
        seconds = self.run.end - self.run.begin
        for n, (framework, _) in enumerate(self.run.frameworks):
            tenants.setdefault(("framework", framework), {})["running." + self.name] = self.ran(n) / seconds
        for pool in self.run.pools:
            tenants.setdefault(("pool", pool), {})["running." + self.name] = self.ran((pool,)) / seconds

    def ran(self, key):
        return self.mine[key][0] if key in self.mine else 0.0

    def tell(self, measures, tenants):
        name, run = self.name, self.run
        if name in BULK:
            return self.tell_of_bulk(measures, tenants)
        if self.jain_time > 0:
            measures["jain." + name] = self.jain / self.jain_time
            if name == "map":
                measures["jain"] = measures["jain.map"]
        if self.busy_time > 0:
            measures["utilisation." + name] = self.busy / self.busy_time
        self.deficit.tell(name, measures)
        for what, slots in zip(("wasted_on_offer", "wasted_declined", "wasted_withheld", "idle_unwanted"),
                               self.idle):
            measures[f"{what}.{name}"] = slots
        measures["wasted." + name] = sum(self.idle[:3])
        everybody = [(n, ("framework", run.frameworks[n][0])) for n in range(len(run.frameworks))]
        everybody += [((pool,), ("pool", pool)) for pool in run.pools]
        for key, tenant in everybody:
            runs, due, deficit = self.mine.get(key, [0.0, 0.0, Deficit()])
            mine = tenants.setdefault(tenant, {})
            if due > 0:
                mine["share." + name] = runs / due
            mine["running." + name] = runs / (run.end - run.begin)
            deficit.tell(name, mine)
        if name != "map":
            return
        times = {n: self.served[n] - self.wanted[n] for n in range(len(run.frameworks))
                 if n in self.served and self.wanted[n] >= run.begin}
        if times:
            measures["time_to_share"] = sum(times.values()) / len(times)
        if len(run.frameworks) <= MOST_NAMED:
            for n, time in times.items():
                measures["time_to_share." + run.frameworks[n][0]] = time
        for pool in run.pools if len(run.pools) <= MOST_NAMED else []:
            if (pool,) in self.served and self.wanted[(pool,)] >= run.begin:
                measures["time_to_min_share." + pool] = self.served[(pool,)] - self.wanted[(pool,)]


class JobShares:
    """Jain's index over the jobs that have maps left."""

    def __init__(self, run):
        self.run, self.now = run, run.begin
        self.slots = 0
        self.jobs = {}  # name: [maps left, maps running]
        self.sum = self.time = 0.0

    def until(self, time):
        time = min(time, self.run.end)
        if time <= self.now:
            return
        seconds, self.now = time - self.now, time
        jobs = [job for job in self.jobs.values() if job[0] > 0]
        if len(jobs) < 2 or self.slots == 0:
            return
        shares = fill(self.slots, [(1.0, 0, job[0]) for job in jobs])
        index = jain([job[1] / share for job, share in zip(jobs, shares)])
        if index is not None:
            self.sum += index * seconds
            self.time += seconds
