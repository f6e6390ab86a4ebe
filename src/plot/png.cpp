#include "core/error.h"
#include "core/file.h"
#include "plot/picture.h"

namespace nouq::plot {

namespace {

[[noreturn]] void fail_without_cairo() {
  fail("this nouq was built without Cairo and cannot draw PNG; write the figure as .svg instead");
}

}  // namespace

bool has_png() { return NOUQ_HAVE_CAIRO != 0; }

std::string png(const Figure& figure, [[maybe_unused]] const PngOptions& options) {
  validate(figure);
#if NOUQ_HAVE_CAIRO
  require(options.scale > 0 && options.scale <= 16, "scale of a PNG = {}: expected more than 0, at most 16",
          options.scale);
  return cairo_png(figure, options);
#else
  fail_without_cairo();
#endif
}

void write_png(const std::filesystem::path& path, const Figure& figure, const PngOptions& options) {
  write_file_atomically(path, png(figure, options));
}

void require_drawable(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  require(ending == ".svg" || ending == ".png",
          "cannot write a figure as {}: expected a name that ends in .svg or .png", path.string());
  if (ending == ".png" && !has_png()) fail_without_cairo();
}

void write_figure(const std::filesystem::path& path, const Figure& figure) {
  require_drawable(path);
  if (path.extension() == ".svg") return write_svg(path, figure);
  write_png(path, figure);
}

}  // namespace nouq::plot
