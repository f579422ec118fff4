// The environment of an experiment: what is known, or was found out, of the cluster that it stands for. It is
// a file of its own, which all experiments on that cluster include, so that no constant has two values.
//
//   [environment]
//     name, title
//   [cluster], [cost], [store], [allocator]: as in an experiment
//   [[fit]]
//     key = "cost.remote_rate", from = "8MB/s", to = "60MB/s": a constant that was chosen, by
//     `proffer study fit`, so that the figures come out that experiments mark by `fitted = true`
#pragma once

#include <string>
#include <vector>

namespace proffer::study {

/// A constant of an environment that nobody has measured.
struct FittedConstant {
  std::string key;   ///< dotted, as in [sweep]
  std::string from;  ///< bounds, as they are written: "8MB/s", "0.5s", "1.5"
  std::string to;
  std::string value;  ///< the value in the environment's file
};

struct Environment {
  std::string name;
  std::string title;
  std::string path;  ///< as seen from the current folder
  std::string text;  ///< the text of the file, as it was read
  std::vector<FittedConstant> fitted;
};

}  // namespace proffer::study
