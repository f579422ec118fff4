#!/usr/bin/env python3
"""first_framework.py: a framework that runs twenty commands on map slots, and prints how each ended."""
import proffer


class Twenty(proffer.Scheduler):
    def __init__(self):
        self.left = [f"task-{i}" for i in range(20)]
        self.under_way = len(self.left)

    def registered(self, driver, framework_id):
        driver.declare_demand({"map": len(self.left), "reduce": 0})

    def resource_offers(self, driver, offers):
        for offer in offers:
            slots = offer.resources.get("map", 0)
            taken, self.left = self.left[:slots], self.left[slots:]
            if taken:
                work = proffer.command("sh", "-c", "echo on $PROFFER_AGENT")
                driver.launch_tasks(offer, [proffer.Task(one, {"map": 1}, work=work) for one in taken])
            else:
                driver.decline_offer(offer, "no-pending-task", refuse_seconds=60)

    def status_update(self, driver, status):
        if status.state.is_terminal:
            print(status.task, status.state.name)
            self.under_way -= 1
            if self.under_way == 0:
                driver.stop()


if __name__ == "__main__":
    proffer.SchedulerDriver(Twenty(), "first").run()
