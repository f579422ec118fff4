#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <utility>

#include "proffer/check.hpp"
#include "proffer/study/checks.hpp"

namespace proffer::study {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

/// Reads from the left, and stops at the first thing that is wrong.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// factor { (+ - * /) factor }, where * and / bind closer.
  Expression side() {
    skip_spaces();
    const auto begin = at_;
    Expression expression;
    product(expression);
    while (const char op = take_one_of("+-")) {
      product(expression);
      expression.steps.emplace_back(op);
    }
    auto end = at_;
    while (end > begin && text_[end - 1] == ' ') --end;
    expression.text = text_.substr(begin, end - begin);
    return expression;
  }

  Comparison comparison() {
    const char sign = take_one_of("<>");
    if (sign == '\0') expect("<, <=, > or >=");
    const bool with_equal = at_ < text_.size() && text_[at_] == '=';
    if (with_equal) ++at_;
    if (sign == '<') return with_equal ? Comparison::at_most : Comparison::less;
    return with_equal ? Comparison::at_least : Comparison::greater;
  }

  /// Returns an error, or none when the text was read to its end.
  std::optional<Error> finish() {
    skip_spaces();
    if (at_ < text_.size()) expect("nothing more");
    return error_;
  }

 private:
  void expect(std::string_view what) {
    if (error_) return;
    const auto rest = text_.substr(at_);
    error_ = Error{ErrorCode::invalid,
                   rest.empty() ? fmt::format("\"{}\" ends too early: write {} behind it", text_, what)
                                : fmt::format("\"{}\": there should be {} at \"{}\"", text_, what, rest)};
  }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  /// The next character when it is one of these, else 0.
  char take_one_of(std::string_view these) {
    skip_spaces();
    if (error_ || at_ == text_.size() || these.find(text_[at_]) == these.npos) return '\0';
    return text_[at_++];
  }

  void product(Expression& expression) {
    factor(expression);
    while (const char op = take_one_of("*/")) {
      factor(expression);
      expression.steps.emplace_back(op);
    }
  }
  void factor(Expression& expression) {
    skip_spaces();
    if (error_) return;
    if (at_ < text_.size() && is_letter(text_[at_])) return measure(expression);
    double number = 0;
    const auto* begin = text_.data() + at_;
    const auto [end, bad] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (bad != std::errc{}) return expect("a number or the name of a measure");
    at_ += static_cast<std::size_t>(end - begin);
    expression.steps.emplace_back(number);
  }
  void measure(Expression& expression) {
    MeasureRef ref;
    const auto begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    ref.measure = text_.substr(begin, at_ - begin);
    if (ref.measure.ends_with('.') && take_one_of("\"") != '\0') {  // a bin's name that is no word: "3-20"
      const auto close = text_.find('"', at_);
      if (close == text_.npos) return expect("a \" behind the bin");
      ref.measure += text_.substr(at_, close - at_);
      at_ = close + 1;
    }
    if (take_one_of("{") != '\0') {
      const auto close = text_.find('}', at_);
      if (close == text_.npos) return expect("a } behind the cell");
      ref.filter = text_.substr(at_, close - at_);
      at_ = close + 1;
    }
    expression.steps.emplace_back(std::move(ref));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

std::optional<double> combined(double a, char op, double b) {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      break;
  }
  if (b == 0) return {};
  return a / b;
}

}  // namespace

Result<Expression> parse_expression(std::string_view text) {
  Reader reader(text);
  auto expression = reader.side();
  if (auto error = reader.finish()) return *error;
  return expression;
}

Result<Check> parse_check(std::string_view text) {
  Reader reader(text);
  Check check;
  check.text = text;
  check.left = reader.side();
  check.comparison = reader.comparison();
  check.right = reader.side();
  if (auto error = reader.finish()) return *error;
  return check;
}

std::vector<std::string> filters_of(const Expression& expression) {
  std::vector<std::string> filters;
  for (const auto& step : expression.steps) {
    const auto* ref = std::get_if<MeasureRef>(&step);
    if (ref != nullptr && !ref->filter.empty()) filters.push_back(ref->filter);
  }
  return filters;
}

std::optional<double> evaluate(const Expression& expression, const Lookup& lookup) {
  std::vector<double> stack;
  for (const auto& step : expression.steps) {
    std::optional<double> value;
    if (const auto* number = std::get_if<double>(&step)) {
      value = *number;
    } else if (const auto* ref = std::get_if<MeasureRef>(&step)) {
      value = lookup(*ref);
    } else {
      PROFFER_CHECK(stack.size() >= 2, "an operator needs two values");
      const double right = stack.back();
      stack.pop_back();
      value = combined(stack.back(), std::get<char>(step), right);
      stack.pop_back();
    }
    if (!value) return {};
    stack.push_back(*value);
  }
  PROFFER_CHECK(stack.size() == 1, "an expression leaves one value");
  return stack.back();
}

}  // namespace proffer::study
