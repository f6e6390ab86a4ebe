#include <charconv>

#include "core/error.h"
#include "data/npy.h"

namespace nouq {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  NpyDictionary parse() {
    expect('{');
    while (!take('}')) {
      read_entry();
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    require(at_ == text_.size(), "{}: NPY header goes on after its dictionary, at byte {}", source_, at_);
    require(has_description_ && has_order_ && has_shape_,
            "{}: NPY header lacks one of 'descr', 'fortran_order', 'shape'", source_);
    return result_;
  }

 private:
  void read_entry() {
    const std::string key = read_string("a key");
    expect(':');
    if (key == "descr") {
      claim(has_description_, key);
      skip_blanks();
      require(at_ == text_.size() || text_[at_] != '[',
              "{}: structured dtypes are not supported, expected one number type", source_);
      result_.description = read_string("the dtype");
    } else if (key == "fortran_order") {
      claim(has_order_, key);
      result_.fortran_order = read_bool();
    } else if (key == "shape") {
      claim(has_shape_, key);
      result_.shape = read_shape();
    } else {
      fail("{}: NPY header has the unknown key '{}'", source_, key);
    }
  }

  void claim(bool& seen, const std::string& key) {
    require(!seen, "{}: NPY header has the key '{}' twice", source_, key);
    seen = true;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool take(char wanted) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    require(take(wanted), "{}: NPY header is malformed at byte {}: expected '{}'", source_, at_, wanted);
  }

  std::string read_string(const char* what) {
    skip_blanks();
    const bool quoted = at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"');
    require(quoted, "{}: NPY header is malformed at byte {}: expected {} in quotes", source_, at_, what);
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    require(end != std::string_view::npos, "{}: NPY header is malformed at byte {}: {} has no closing quote",
            source_, at_, what);
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  bool read_bool() {
    skip_blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    fail("{}: NPY header is malformed at byte {}: expected True or False", source_, at_);
  }

  Shape read_shape() {
    Shape shape;
    expect('(');
    while (!take(')')) {
      shape.push_back(read_extent());
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  Index read_extent() {
    skip_blanks();
    Index value = 0;
    const char* end = text_.data() + text_.size();
    const auto [stop, code] = std::from_chars(text_.data() + at_, end, value);
    require(code != std::errc::result_out_of_range, "{}: shape has an extent too large to count, at byte {}",
            source_, at_);
    require(code == std::errc(), "{}: NPY header is malformed at byte {}: expected an integer", source_, at_);
    require(value >= 0, "{}: shape has the negative extent {}", source_, value);
    at_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  NpyDictionary result_;
  bool has_description_ = false, has_order_ = false, has_shape_ = false;
};

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& source) {
  return Parser(text, source).parse();
}

}  // namespace nouq
