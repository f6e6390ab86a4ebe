// Writes the seed corpus: make_seeds FOLDER fills FOLDER/{npy,npz,csv,toml,model,hdf5_file,hdf5_layout,http}.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "config/example_table.h"
#include "config/toml.h"
#include "core/tensor_file.h"
#include "data/load.h"
#include "data/npy.h"
#include "data/npz.h"
#include "data/sample_data.h"
#include "data/temporary_folder.h"
#include "data/zip.h"
#include "fuzz/hdf5_names.h"
#include "fuzz/npz_members.h"
#include "model/model_file.h"
#include "model/tiny_surrogate.h"
#include "uq/method.h"

namespace {

namespace fs = std::filesystem;
using namespace nouq;
using test::read_all;
using test::write_all;

void write_npy(const fs::path& folder) {
  save_npy(folder / "f4", test::awkward_floats({2, 3}, 1));
  save_npy(folder / "f8", test::doubles({2, 3, 1}, 1));
  save_npy(folder / "text", Array<std::string>({2}, std::vector<std::string>{"u", "δ"}));
  save_npy(folder / "scalar", Array<double>({}, 1.0));
  std::string swapped = read_all(folder / "f8");
  swapped.replace(swapped.find('<'), 1, ">").replace(swapped.find("False"), 5, "True ");
  write_all(folder / "swapped", swapped);
  for (const char* type : {"|i1", "|u1", "|b1"}) {
    std::string bytes = npy_header(Array<float>({6}));
    bytes.replace(bytes.find("<f4"), 3, type);
    write_all(folder / (std::string("as_") + (type + 1)), bytes + "abcdef");
  }
}

// The instructions of npz_fuzz.cpp for the members of a real file.
std::string as_members(const std::string& file, char kind) {
  const ZipReader zip(test::bytes_of(file), "seed");
  std::string result(1, kind);
  for (const ZipMember& member : zip.members()) {
    const auto& names = fuzz::member_names;
    const std::string name = member.name.substr(0, member.name.size() - 4);
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    const auto contents = zip.read(member);
    const auto bytes = contents.bytes();
    result += {static_cast<char>(at), static_cast<char>(bytes.size() & 0xFFU),
               static_cast<char>(bytes.size() >> 8U)};
    result.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return result;
}

void write_npz(const fs::path& folder) {
  save_npz(folder / "stored", test::sample_data(1), Compression::none);
  save_npz(folder / "deflated", test::sample_data(1), Compression::deflate);
  const std::string stored = read_all(folder / "stored");
  write_all(folder / "members_stored", as_members(stored, 1));
  write_all(folder / "members_deflated", as_members(stored, 2));
  for (const char* name : {"stored", "deflated"}) write_all(folder / name, '\0' + read_all(folder / name));
}

// The instructions of model_fuzz.cpp for a model of every method.
void write_models(const fs::path& folder) {
  for (const std::string& method : method_names()) {
    save_model(test::tiny_surrogate(method), folder / method);
    const std::string bytes = read_all(folder / method);
    const std::size_t data = bytes.size() - TensorFile(folder / method).data_bytes();
    write_all(folder / (method + "_sealed"), '\1' + bytes);
    write_all(folder / method, '\2' + bytes.substr(8, data - 8) + '\0' + bytes.substr(data));
  }
}

// The instructions of hdf5_layout_fuzz.cpp for one array of float32 with some values in it.
std::string add_array(std::string_view name, const std::string& shape) {
  const auto& names = fuzz::names;
  std::string result = {3, static_cast<char>(std::find(names.begin(), names.end(), name) - names.begin()), 0,
                        0};
  std::size_t values = 1;
  for (const char extent : shape) values *= static_cast<std::size_t>(extent);
  result += static_cast<char>(shape.size()) + shape + '\0' + '\0' + static_cast<char>(4 * values);
  for (std::size_t i = 0; i < values; ++i) result += {static_cast<char>(i), 0, 0, 0x3f};
  return result;
}

void write_layouts(const fs::path& folder) {
  write_all(folder / "own", add_array("inputs", {2, 3, 1}) + add_array("outputs", {2, 3, 2}) +
                                add_array("parameters", {2}) + add_array("constraints/mass", {2, 2}));
  write_all(folder / "trajectories",
            add_array("tensor", {2, 3, 4}) + add_array("x-coordinate", {4}) + add_array("t-coordinate", {4}));
  write_all(folder / "darcy", add_array("tensor", {2, 1, 3, 2}) + add_array("nu", {2, 3, 2}));
  write_all(folder / "flow", add_array("density", {2, 2, 3}) + add_array("pressure", {2, 2, 3}) +
                                 add_array("Vx", {2, 2, 3}) + add_array("t-coordinate", {3}));
  write_all(folder / "groups", add_array("0000/data", {2, 3, 1}) + add_array("0000/grid/x", {3}) +
                                   add_array("0001/data", {2, 3, 1}) + add_array("0001/grid/x", {3}));
}

void write_texts(const fs::path& root) {
  write_all(root / "csv" / "table", "# runs\nfile;k\r\n\"a \"\"b\"\"\";1e-3\nc;+2\n");
  write_all(root / "csv" / "matrix", "1,2,3\n4,,6\n");
  test::ExampleOptions options;
  write_all(root / "toml" / "defaults", to_toml(test::example_table(options)));
  options = {"pme", 3, 4, 1, 0.5, -1e300, true, "ensemble", "a\"\\", {1}, {0.25, 2}, {"", "\u00e9"}, ""};
  write_all(root / "toml" / "all", to_toml(test::example_table(options)));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fputs("usage: make_seeds FOLDER\n", stderr), 2;
  const fs::path root = arguments[1];
  for (const char* name : {"npy", "npz", "csv", "toml", "model", "hdf5_file", "hdf5_layout", "http"})
    fs::create_directories(root / name);
  write_npy(root / "npy");
  write_npz(root / "npz");
  write_texts(root);
  write_models(root / "model");
  save_data_set(root / "hdf5_file" / "own.h5", test::sample_data(1));
  write_layouts(root / "hdf5_layout");
  write_all(root / "http" / "get", "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n");
  write_all(
      root / "http" / "post",
      "POST /Evaluate HTTP/1.1\r\nHost: localhost:4242\r\nContent-Length: 31\r\nExpect: 100-continue\r\n\r\n"
      "{\"name\":\"m\",\"input\":[[1.5e0]]}");
}
