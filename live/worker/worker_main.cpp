// proffer-worker: started by an agent's launcher in a task's sandbox, or with --probe to see whether tasks
// could be.
#include <string_view>

#include "live/worker/worker.hpp"

int main(int argc, char** argv) {
  const bool probe = argc > 1 && std::string_view(argv[1]) == "--probe";
  return probe ? proffer::live::run_probe() : proffer::live::run_worker();
}
