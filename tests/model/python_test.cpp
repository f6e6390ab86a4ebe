// The documentation's way into a model file from Python, run as it stands.
#include "support/python.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "data/temporary_folder.h"
#include "data/zip.h"
#include "model/model_file.h"
#include "model/tiny_surrogate.h"

namespace nouq {
namespace {

// The values of an array that numpy has stored: what stands at the end of the member.
std::string stored_values(const ZipReader& zip, const std::string& name, std::size_t bytes) {
  const ZipMember* member = zip.find(name + ".npy");
  if (member == nullptr) return "there is no " + name;
  const ZipContents contents = zip.read(*member);
  const auto values = contents.bytes().last(bytes);
  return {reinterpret_cast<const char*>(values.data()), values.size()};
}

template <class T>
std::string as_text(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

TEST(ModelPython, TheSnippetOfTheDocumentationReadsOurFiles) {
  if (!test::has_numpy()) GTEST_SKIP() << "no Python with numpy was found when this was configured";
  const test::TemporaryFolder folder;
  const Surrogate surrogate = test::tiny_surrogate("diverse");
  save_model(surrogate, folder / "pme.nouq");
  ASSERT_TRUE(test::run_snippets("model-file.md", folder / ""));

  const MappedFile file(folder / "tensors.npz");
  const ZipReader zip(file.bytes(), "tensors.npz");
  std::string weights;
  const ParameterLayout layout(surrogate.network);
  for (const Tensor& tensor : layout.tensors())
    weights += stored_values(zip, "network.0." + tensor.name,
                             static_cast<std::size_t>(tensor.size()) * sizeof(float));
  EXPECT_EQ(weights, as_text(surrogate.weights[0]));
  EXPECT_EQ(stored_values(zip, "grid.1", 3 * sizeof(double)), as_text(surrogate.grid[1].coordinates));
}

}  // namespace
}  // namespace nouq
