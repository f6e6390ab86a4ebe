// Arrays that do not fit into memory: kept in a file, of which the system holds in memory what is in use.
//
// Why not readers that hand out samples one by one: all that works on arrays (training, calibration,
// prediction, writing) works on these, at the same addresses and so with the same bits. What is not in use
// goes to the disk by itself; pages of a file do not count as memory that must stay. When: turned on by the
// tool at its start; a library does not make files behind its caller's back. Contract: the file has no name
// and is gone with the process, however that ends. Where there is no folder on a disk, arrays stay in memory.
// A disk without room is an error that names the folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace nouq {

// Bytes that this process may fill: the machine's memory, or less where a control group sets a limit.
std::size_t memory_limit();

// A folder on a disk for such files: TMPDIR, /var/tmp or the current one, the first that is no memory itself.
// Empty where there is none.
std::filesystem::path folder_on_disk();

// From now on arrays and images of files may take `budget` bytes of memory together; what is beyond goes into
// files in the folder. Call it before other threads run. An empty folder: all stays in memory.
void keep_large_arrays_in_files(const std::filesystem::path& folder, std::size_t budget);

// Memory for an array, aligned to a cache line, in a file or not. Throws std::bad_alloc or a failure.
void* allocate_array(std::size_t bytes);
void release_array(void* memory);
// What `held` bytes of it held, in a larger piece. nullptr: a new one.
void* grow_array(void* memory, std::size_t held, std::size_t bytes);
// Gives whole pages among these bytes back; what they held is lost.
void give_back_array(void* memory, std::size_t bytes);

// These bytes of an array will be wanted soon: those in a file are read ahead, while others compute.
void fetch_ahead(std::span<const std::byte> bytes);

// Bytes of arrays that are in files now; for tests.
std::size_t bytes_in_files();

}  // namespace nouq
