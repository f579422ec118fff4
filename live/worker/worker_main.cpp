// proffer-worker: started by an agent's launcher in a task's sandbox.
#include "live/worker/worker.hpp"

int main() { return proffer::live::run_worker(); }
