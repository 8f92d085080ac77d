// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"

/// Pools as rows with all units resolved: `mpool show`, `mpool check` and the pool table of the workbench.
namespace poolwright::mpool {

struct TableRow {
    std::string name, fname;
    std::string state;        ///< "enabled", "disabled" (size 0), "virtual"
    std::string mode, format; ///< words of the file
    AddressRange range;
    std::string writtenOffset; ///< "873463808 BYTES", as in the file; empty for a virtual pool
    std::string writtenSize;   ///< "0x1C0 KBYTES"
    ByteCount reservedTail;
    Properties properties;
    int score = 0;
    std::vector<std::string> members;  ///< of a virtual pool, in address order
    std::vector<std::string> overlaps; ///< names of pools that share bytes with it

    bool operator==(const TableRow&) const = default;
};

/// Concrete pools in file order, disabled ones included, then virtual ones (`mergeAdjacent`). A virtual pool is a view
/// of its members: never add it to totals.
std::vector<TableRow> tableRows(const PoolFile& file, bool mergeAdjacent, RuntimeGeneration generation);

/// Bytes of all enabled concrete pools: internal and external.
struct Totals {
    ByteCount internal, external;
};
Totals totals(const PoolFile& file);

/// Columns for a terminal, with a line of totals.
std::string tableAsText(const PoolFile& file, bool mergeAdjacent, RuntimeGeneration generation);
/// `{"schema_version": 1, "path", "pools": […], "totals": {…}, "diagnostics": […]}`.
std::string tableAsJson(const PoolFile& file, bool mergeAdjacent, RuntimeGeneration generation);

/// What `mpool check` says of one file, whether it could be read or not.
struct CheckedFile {
    std::string path;
    Diagnostics diagnostics;
    bool hasErrors() const { return poolwright::hasErrors(diagnostics); }
};
/// `{"schema_version": 1, "ok": …, "files": [{"path", "ok", "diagnostics"}]}`.
std::string checksAsJson(const std::vector<CheckedFile>& files);

} // namespace poolwright::mpool
