"""One run: what its event log says, folded into its measures."""

import csv
import json
import math
import os

from fair_shares import Tree, UNBOUNDED
from series import quantile, start_up
from slots import BULK, JobShares, Kind, MOST_NAMED, Use

START = 10.0  # a simulation's work begins at 10 s of its log: until then agents register
AGENTS_FAULTS = {"agent-refused", "agent-failed", "output-lost", "host-reboot", "agent-gone", "agent-disk",
                 "never-arrived", "drained"}
ENDS = {"FINISHED", "FAILED", "KILLED", "REJECTED", "DROPPED", "LOST", "GONE"}


class Offers:
    def __init__(self):
        self.made = self.rests = self.ended = 0
        self.outcomes = dict.fromkeys(("accepted", "declined", "rescinded", "expired"), 0)
        self.reasons = {}
        self.held = 0.0

    def tell(self, measures):
        measures["offers.made"] = self.made
        measures["offers.rest_declined"] = self.rests
        for outcome, count in self.outcomes.items():
            measures["offers." + outcome] = count
        for reason, count in self.reasons.items():
            measures["declines." + reason] = count
        if self.ended:
            measures["offer_hold_mean"] = self.held / self.ended


class Run:
    def __init__(self, folder):
        with open(os.path.join(folder, "summary.json")) as file:
            self.summary = json.load(file)
        with open(os.path.join(folder, "jobs.csv"), newline="") as file:
            self.plan = {row["job_id"]: row for row in csv.DictReader(file)}
        self.begin = self.summary["measured_from"]
        self.end = self.summary["measured_until"]
        self.all = self.summary["run_seconds"]
        self.frameworks, self.ids, self.pools = [], {}, []
        self.people = {}  # framework id: user, priority
        self.tree = Tree()
        self.kinds = {}
        self.agents = {}
        self.offers, self.last_accepted = {}, None
        self.tasks = {}  # (framework id, task): [agent, {kind: units}, since, counts, away]
        self.missed = {}  # tasks whose agent is silent, and the slot-seconds that they had run by then
        self.allocator_line = 0  # its newest line's number
        self.counts = {}  # Offers, by framework
        self.launched = self.unfinished = 0
        self.killed_work = self.lost_work = 0.0
        self.backups = {}  # (framework name, backup): the attempt that runs
        self.others = {}  # (framework name, attempt): the other one at its task, and whether itself is the backup
        self.late = set()  # attempts of which the other has finished
        self.backup_counts = {"launched": 0, "won": 0, "late_work": 0.0}
        self.jobs, self.job_ids = {}, {}
        self.maps = {}  # (framework name, task): job
        self.job_shares = JobShares(self)
        self.read_bytes = self.kept = self.most_kept = 0.0
        self.storage = None  # [part, since, sum, most]
        self.copies = {"made": 0, "failed": 0, "dropped": 0, "bytes": 0}
        self.samples, self.apart = [], 1.0  # map slots that run
        self.now, self.counting = 0.0, False
        self.begun = False

    def kind(self, name):
        if name not in self.kinds:
            self.kinds[name] = Kind(name, self)
            self.kinds[name].until(self.now)
        return self.kinds[name]

    def read(self, path):
        with open(path) as file:
            for text in file:
                line = json.loads(text)
                handler = getattr(self, "on_" + line["event"], self.on_other)
                self.now = line["t_us"] * 1e-6 - START
                self.sample(self.now)
                self.counting = self.now >= self.begin and (self.end == self.all or self.now < self.end)
                if self.begin <= 0 and self.end == self.all:
                    self.counting = True
                if self.counting and not self.begun:
                    self.begun, self.most_kept = True, self.kept
                if line["source"] == "allocator":
                    self.number(line["seq"])
                handler(line)
        self.sample(self.all)
        for kind in self.kinds.values():
            kind.until(self.end)
        self.job_shares.until(self.end)

    def sample(self, now):
        while len(self.samples) * self.apart < now:
            uses = self.kinds["map"].uses if "map" in self.kinds else []
            self.samples.append(float(sum(use.running for use in uses)))
            if len(self.samples) > 2000:
                self.samples = self.samples[::2]
                self.apart *= 2

    # the allocator's lines

    def on_other(self, line):
        pass

    def number(self, seq):
        """A process numbers its lines anew, from 0 or 1, when it begins anew: nothing is on offer, wanted or known to
        run then until it says so."""
        last, self.allocator_line = self.allocator_line, seq
        if not (seq <= 1 and seq < last):
            return
        for offer in list(self.offers):
            self.close(offer, "rescinded")
        for key in self.tasks:
            self.run_on(key, False)
        self.agents.clear()
        for kind in self.kinds.values():
            kind.until(self.now)
            for use in kind.uses:
                use.demand, use.refuses_until = 0, -math.inf
            kind.changed()
        self.count_slots()

    def on_agent_registered(self, line):
        if line["source"] != "allocator":
            return
        self.forget_slots(line["agent"])
        self.agents[line["agent"]] = dict(line["slots"])
        self.count_slots()

    def on_agent_lost(self, line):
        if line["source"] == "allocator":
            self.forget_slots(line["agent"])
            self.count_slots()

    def forget_slots(self, agent):
        for kind in self.agents.pop(agent, {}):
            self.kind(kind)

    def count_slots(self):
        for slots in self.agents.values():
            for kind in slots:
                self.kind(kind)
        for name, kind in self.kinds.items():
            slots = sum(slots.get(name, 0) for slots in self.agents.values())
            if slots != kind.slots:
                kind.until(self.now)
                kind.slots = slots
                kind.changed()
        self.job_shares.until(self.now)
        self.job_shares.slots = self.kinds["map"].slots if "map" in self.kinds else 0

    def on_pool_changed(self, line):
        if line["source"] != "allocator":
            return
        self.tree.ensure(line["pool"])
        self.tree.pools[line["pool"]] = {name: line[name] for name in Tree.settings()}

    def on_user_limited(self, line):
        if line["source"] == "allocator":
            self.tree.users[line["user"]] = line["max_running"]

    def on_framework_added(self, line):
        self.people[line["framework"]] = line["user"], line["priority"]

    def on_framework_subscribed(self, line):
        if line["source"] != "allocator" or line["framework"] in self.ids:
            return
        for kind in self.kinds.values():
            kind.until(self.now)
        self.ids[line["framework"]] = len(self.frameworks)
        self.frameworks.append((line["name"], line["pool"]))
        if line["pool"] and line["pool"] not in self.pools:
            self.pools.append(line["pool"])
        user, priority = self.people.get(line["framework"], ("", "normal"))
        self.tree.add(line["pool"], user, priority)
        for kind in self.kinds.values():
            kind.uses.append(Use())
            kind.changed()

    def use(self, framework, kind_name):
        kind = self.kind(kind_name)
        kind.until(self.now)
        return kind, kind.uses[self.ids[framework]]

    def on_demand_changed(self, line):
        kind, use = self.use(line["framework"], line["kind"])
        use.demand = UNBOUNDED if line["demand"] < 0 else line["demand"]
        if use.demand == 0:
            use.refuses_until = -math.inf
        else:
            n = self.ids[line["framework"]]
            kind.wanted.setdefault(n, self.now)
            kind.wanted.setdefault((self.frameworks[n][1],), self.now)
        kind.changed()

    def has(self, framework, kind_name, running, offered):
        kind, use = self.use(framework, kind_name)
        use.running += running
        use.offered += offered
        if running:
            kind.changed()

    def tally(self, framework):
        return self.counts.setdefault(framework, Offers())

    def on_offer_made(self, line):
        self.offers[line["offer"]] = line["framework"], line["resources"], self.now
        for kind, units in line["resources"].items():
            self.has(line["framework"], kind, 0, units)
        if self.counting:
            self.tally(line["framework"]).made += 1

    def close(self, offer, outcome):
        if offer not in self.offers:
            return None
        framework, resources, made = self.offers.pop(offer)
        for kind, units in resources.items():
            self.has(framework, kind, 0, -units)
        if self.counting:
            tally = self.tally(framework)
            tally.outcomes[outcome] += 1
            tally.ended += 1
            tally.held += self.now - made
        return framework, resources

    def on_offer_accepted(self, line):
        closed = self.close(line["offer"], "accepted")
        self.last_accepted = line["offer"]
        if closed:
            for kind in closed[1]:
                self.use(closed[0], kind)[1].declines = False

    def on_offer_declined(self, line):
        closed = self.close(line["offer"], "declined")
        is_rest = self.last_accepted == line["offer"]
        if self.counting and (closed or is_rest):
            tally = self.tally(line["framework"])
            tally.reasons[line["reason"]] = tally.reasons.get(line["reason"], 0) + 1
            tally.rests += is_rest
        if is_rest:
            self.last_accepted = None
        if not closed:
            return
        for kind in closed[1]:
            use = self.use(closed[0], kind)[1]
            use.declines = line["reason"] != "no-pending-task"
            if use.declines:
                lapses = self.now + line["refuse_for_us"] * 1e-6 if line["refuse_for_us"] >= 0 else math.inf
                use.refuses_until = max(use.refuses_until, lapses)

    def on_offer_rescinded(self, line):
        self.close(line["offer"], "rescinded")

    def on_offer_expired(self, line):
        self.close(line["offer"], "expired")

    def run_on(self, key, counts):
        task = self.tasks[key]
        if task[3] == counts:
            return
        task[3] = counts
        for kind, units in task[1].items():
            self.has(key[0], kind, units if counts else -units, 0)

    def map_runs(self, key, change):
        job = self.maps.get((self.frameworks[self.ids[key[0]]][0], key[1]))
        if job in self.job_shares.jobs:
            self.job_shares.until(self.now)
            self.job_shares.jobs[job][1] += change

    def on_task_launched(self, line):
        key = line["framework"], line["task"]
        if key in self.tasks:
            self.run_on(key, False)
        self.tasks[key] = [line["agent"], line["resources"], self.now, False, False]
        self.run_on(key, True)
        self.launched += self.counting
        name = self.frameworks[self.ids[line["framework"]]][0]
        first = self.backups.pop((name, line["task"]), None)
        if first:
            self.backup_counts["launched"] += self.counting
            if (name, first) in self.others:  # one that was given up, and has not ended yet
                del self.others[self.others.pop((name, first))[0]]
            self.others[(name, line["task"])] = (name, first), True
            self.others[(name, first)] = (name, line["task"]), False

    def on_task_changed(self, line):
        key = line["framework"], line["task"]
        state = line["state"]
        task = self.tasks.get(key)
        slots = sum(units for kind, units in task[1].items() if kind not in BULK) if task else 0
        ran = max(1, slots) * (self.now - task[2]) if task else 0.0
        in_time = self.end == self.all or self.now < self.end
        if state in ENDS:
            if self.counting and state != "FINISHED":
                self.unfinished += 1
            if task and in_time:
                lost = self.missed.pop(key, ran)
                if self.counting and state == "KILLED":
                    self.killed_work += ran
                if self.counting and (state == "LOST" or line["reason"] in AGENTS_FAULTS):
                    self.lost_work += lost
                name = self.frameworks[self.ids[line["framework"]]][0]
                self.attempt_ended((name, line["task"]), state == "FINISHED", ran)
            if not task or not task[4]:
                self.map_runs(key, -1)
            job = self.maps.pop((self.frameworks[self.ids[key[0]]][0], key[1]), None)
            if job and state == "FINISHED":
                self.map_finished(job)
            if task:
                self.run_on(key, False)
                del self.tasks[key]
        elif task:
            away = state == "UNREACHABLE"
            if task[4] != away:
                task[4] = away
                self.map_runs(key, -1 if away else 1)
                if away and in_time:
                    self.missed[key] = ran
                elif in_time:
                    self.missed.pop(key, None)
            self.run_on(key, not away)

    def attempt_ended(self, key, finished, ran):
        """One of two attempts at a task, perhaps: what ends after the other has finished has run for nothing."""
        if key in self.late:
            self.late.remove(key)
            self.backup_counts["late_work"] += ran if self.counting else 0.0
        if key not in self.others:
            return
        other, is_backup = self.others.pop(key)
        del self.others[other]
        if finished:
            self.backup_counts["won"] += self.counting and is_backup
            self.late.add(other)

    def map_finished(self, name):
        row, job = self.plan[name], self.jobs[name]
        if self.counting:
            self.read_bytes += float(row["map_bytes"])
        if name in self.job_shares.jobs:
            self.job_shares.until(self.now)
            self.job_shares.jobs[name][0] -= 1
        if "finished" in job:
            return
        more = min(float(row["map_output"]) / int(row["maps"]), float(row["map_output"]) - job["kept"])
        job["kept"] += more
        self.kept += more
        if self.counting or not self.begun:
            self.most_kept = max(self.most_kept, self.kept)

    # the frameworks' lines

    def on_job_submitted(self, line):
        if line["name"] not in self.plan:
            return
        self.job_ids[(line["source"], line["job"])] = line["name"]
        self.jobs[line["name"]] = {"kept": 0.0, "node": 0, "rack": 0, "any": 0, "waited": 0.0}
        if line["maps"]:
            self.job_shares.until(self.now)
            self.job_shares.jobs[line["name"]] = [line["maps"], 0]

    def on_task_queued(self, line):
        if line.get("backs_up"):
            self.backups[(line["source"].split(" ", 1)[1], line["task"])] = line["backs_up"]

    def on_task_placed(self, line):
        name = self.job_ids.get((line["source"], line["job"]))
        if name is None:
            return
        job = self.jobs[name]
        job.setdefault("started", self.now)
        if line["preferred"]:
            job[line["locality"]] += 1
            job["waited"] += line["waited_us"] * 1e-6
        if line["kind"] in ("map", "cpus"):
            self.maps[(line["source"].split(" ", 1)[1], line["task"])] = name
            if name in self.job_shares.jobs:
                self.job_shares.until(self.now)
                self.job_shares.jobs[name][1] += 1

    def on_job_finished(self, line):
        name = self.job_ids.get((line["source"], line["job"]))
        if name is None:
            return
        job = self.jobs[name]
        job["finished"] = self.now + float(self.plan[name]["cleanup"])
        job["ok"] = line["ok"]
        self.kept -= job["kept"]
        if name in self.job_shares.jobs:
            self.job_shares.until(self.now)
            del self.job_shares.jobs[name]

    # the catalog's lines

    def on_storage_counted(self, line):
        part = line["extra"] / line["base"] if line["base"] else 0.0
        old, since, total, most = self.storage or (0.0, self.begin, 0.0, 0.0)
        if self.now < self.begin:
            self.storage = part, self.begin, 0.0, part
            return
        if self.end != self.all and self.now >= self.end:
            return
        if self.begin > 0 and since == self.begin and total == 0.0:
            most = max(most, old)
        self.storage = part, self.now, total + old * (self.now - since), max(most, part)

    def on_copy_ended(self, line):
        if self.counting:
            self.copies["made" if line["ok"] else "failed"] += 1
            self.copies["bytes"] += line["bytes"] if line["ok"] else 0

    def on_drop_decided(self, line):
        self.copies["dropped"] += self.counting

    # ---- measures ----

    def measures(self):
        measures, tenants = {}, {}
        seconds = self.end - self.begin
        for kind in self.kinds.values():
            kind.tell(measures, tenants)
        if self.job_shares.time > 0:
            measures["jain_jobs"] = self.job_shares.sum / self.job_shares.time
        self.tell_offers(measures, tenants)
        measures["tasks_launched"] = self.launched
        measures["tasks_unfinished"] = self.unfinished
        measures["tasks_per_second"] = self.launched / seconds
        measures["killed_work"] = self.killed_work
        measures["lost_work"] = self.lost_work + sum(self.missed.values())
        if "backups.launched" in self.summary["measures"]:  # some framework may make backups, which no line says
            for name, count in self.backup_counts.items():
                measures["backups." + name] = count
        if self.read_bytes:
            measures["input_bytes"] = self.read_bytes
            measures["bytes_per_second"] = self.read_bytes / seconds
        if self.most_kept > 0:
            measures["intermediate_bytes_max"] = self.most_kept
        if self.storage:
            part, since, total, most = self.storage
            measures["storage_extra_mean"] = (total + part * max(0.0, self.end - since)) / seconds
            measures["storage_extra_max"] = most
            for name, count in self.copies.items():
                measures["copies." + name] = count
        self.tell_jobs(measures, tenants)
        self.tell_start_up(measures)
        levels = {}
        for level, _ in tenants:
            levels[level] = levels.get(level, 0) + 1
        for (level, tenant), mine in tenants.items():
            if levels[level] <= MOST_NAMED and not (level == "framework" and levels[level] == 1):
                for name, value in mine.items():
                    measures[f"{name}.{level}.{tenant}"] = value
        return measures

    def tell_offers(self, measures, tenants):
        groups = {None: Offers()}
        for framework, counts in self.counts.items():
            name, pool = self.frameworks[self.ids[framework]]
            for key in [None, ("framework", name)] + ([("pool", pool)] if pool else []):
                group = groups.setdefault(key, Offers())
                group.made += counts.made
                group.rests += counts.rests
                group.ended += counts.ended
                group.held += counts.held
                for outcome, count in counts.outcomes.items():
                    group.outcomes[outcome] += count
                for reason, count in counts.reasons.items():
                    group.reasons[reason] = group.reasons.get(reason, 0) + count
        for key, group in groups.items():
            group.tell(measures if key is None else tenants.setdefault(key, {}))
        if self.launched:
            measures["offers_per_task"] = groups[None].made / self.launched

    def tell_jobs(self, measures, tenants):
        pools = dict(self.frameworks)
        groups = {}
        ended = {"finished": 0, "failed": 0, "unfinished": 0}
        first, last = math.inf, 0.0
        for name, row in self.plan.items():
            job = self.jobs.get(name, {"node": 0, "rack": 0, "any": 0, "waited": 0.0})
            submitted = float(row["submission_time"])
            first = min(first, submitted)
            last = max(last, job.get("finished", 0.0))
            ended["unfinished" if "finished" not in job else "finished" if job["ok"] else "failed"] += 1
            if submitted < self.begin or self.end != self.all and submitted >= self.end:
                continue
            if "started" not in job and "finished" not in job:
                continue
            keys = ["", "." + (row["bin"] or name), ("framework", row["framework"])]
            if pools.get(row["framework"]):
                keys.append(("pool", pools[row["framework"]]))
            if row["pool"]:
                keys.append(("job_pool", row["pool"]))
            for key in keys:
                groups.setdefault(key, []).append((row, job, submitted))
        self.tell_graphs(groups, measures, tenants)
        for key, jobs in groups.items():
            if isinstance(key, tuple):
                tenants.setdefault(key, {})["jobs"] = len(jobs)
                self.tell_group("", jobs, tenants[key])
            else:
                self.tell_group(key, jobs, measures)
        for how, count in ended.items():
            measures["jobs." + how] = count
        if last > 0:
            measures["makespan"] = last - first

    def tell_graphs(self, groups, measures, tenants):
        """A graph counts in a group of which all its stages are, and have succeeded."""
        stages = {}
        for row in self.plan.values():
            if row["graph"]:
                stages[row["graph"]] = stages.get(row["graph"], 0) + 1
        for key, jobs in groups.items():
            if isinstance(key, str) and key:
                continue
            graphs = {}
            for row, job, submitted in jobs:
                if row["graph"] and job.get("ok"):
                    graphs.setdefault(row["graph"], []).append((submitted, job["finished"]))
            responses = sorted(max(end for _, end in spans) - min(begin for begin, _ in spans)
                               for graph, spans in graphs.items() if len(spans) == stages[graph])
            if responses:
                mine = tenants.setdefault(key, {}) if key else measures
                mine["graph_response_mean"] = sum(responses) / len(responses)
                mine["graph_response_p50"] = quantile(responses, 0.5)
                mine["graph_response_p95"] = quantile(responses, 0.95)
                mine["graph_response_max"] = responses[-1]

    def tell_start_up(self, measures):
        done = [(float(row["submission_time"]), self.jobs[name]["finished"]) for name, row in self.plan.items()
                if self.jobs.get(name, {}).get("ok")]
        done.sort(key=lambda job: job[0])
        if not done or done[0][0] == done[-1][0]:
            return
        out = start_up([finished - submitted for submitted, finished in done])
        if out is not None:
            measures["start_up.response"] = done[out][0] if out else 0
        out = start_up(self.samples)
        if out is not None:
            measures["start_up.utilisation"] = out * self.apart

    @staticmethod
    def tell_group(suffix, jobs, measures):
        local = [(float(row["map_bytes"]), job) for row, job, _ in jobs
                 if job["node"] + job["rack"] + job["any"] > 0]
        tasks = [job["node"] + job["rack"] + job["any"] for _, job in local]
        if local:
            measures["node_local" + suffix] = sum(job["node"] for _, job in local) / sum(tasks)
            measures["rack_local" + suffix] = sum(job["rack"] for _, job in local) / sum(tasks)
            bytes_read = sum(size * n for (size, _), n in zip(local, tasks))
            if bytes_read > 0:
                measures["node_local_bytes" + suffix] = \
                    sum(size * job["node"] for size, job in local) / bytes_read
            for level in ("node", "rack"):
                shares = [job[level] / n for (_, job), n in zip(local, tasks)]
                measures[f"{level}_local_jobs{suffix}"] = sum(shares) / len(shares)
            measures["wait_mean" + suffix] = sum(job["waited"] for _, job in local) / sum(tasks)
        responses, slowdowns, tardiness = [], [], []
        due = [(float(row["due"]), job) for row, job, _ in jobs if row["due"]]
        if due:
            in_time = sum(1 for until, job in due if job.get("ok") and job["finished"] <= until)
            measures["deadlines_missed" + suffix] = 1 - in_time / len(due)
            tardiness = [max(0.0, job["finished"] - until) for until, job in due if job.get("ok")]
        for row, job, submitted in jobs:
            if not job.get("ok"):
                continue
            responses.append(job["finished"] - submitted)
            if row["alone"] and float(row["alone"]) > 0:
                slowdowns.append(responses[-1] / float(row["alone"]))
        for name, values in (("response", sorted(responses)), ("slowdown", sorted(slowdowns)),
                             ("tardiness", sorted(tardiness))):
            if values:
                measures[f"{name}_mean{suffix}"] = sum(values) / len(values)
                measures[f"{name}_p50{suffix}"] = quantile(values, 0.5)
                measures[f"{name}_p95{suffix}"] = quantile(values, 0.95)
                measures[f"{name}_max{suffix}"] = values[-1]
