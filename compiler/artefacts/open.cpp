// SPDX-License-Identifier: Apache-2.0
#include "artefacts/open.h"

#include "artefacts/c_info.h"
#include "artefacts/dot.h"
#include "artefacts/generate_report.h"
#include "artefacts/join.h"
#include "artefacts/load.h"
#include "artefacts/options_ini.h"
#include "artefacts/saved_mpool.h"
#include "artefacts/vendor_csv.h"
#include "report/json.h"

#include <algorithm>
#include <set>

namespace poolwright::artefacts {

using namespace report;
namespace fs = std::filesystem;

namespace {

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

ArtefactKind kindOfJson(const std::string& text) {
    if (contains(text, "\"json_schema_version\""))
        return ArtefactKind::CInfo;
    if (looksLikeReportJson(text))
        return ArtefactKind::ReportJson;
    return contains(text, "\"mempools\"") ? ArtefactKind::Mpool : ArtefactKind::Unknown;
}

/// A file that a reader understood.
struct Piece {
    ArtefactKind kind = ArtefactKind::Unknown;
    std::string path;
    Report report;
};

/// The richest first: what it knows is not overwritten by the later ones.
int rankOf(const Piece& piece) {
    const bool empty = piece.report.buffers.empty() && piece.report.epochs.empty();
    switch (piece.kind) {
    case ArtefactKind::ReportJson:
        return 0;
    case ArtefactKind::CInfo:
        return empty ? 7 : 1; // a validate run's has only the environment
    case ArtefactKind::Csv:
        return 2;
    case ArtefactKind::GenerateReport:
        return 3;
    case ArtefactKind::Dot:
        return 4;
    case ArtefactKind::Mpool:
        return 5;
    default:
        return 6;
    }
}

struct Candidate {
    fs::path path;
    bool named = false; ///< by the caller, not found in a folder
};

void addFolder(const fs::path& folder, int depth, std::vector<Candidate>& files) {
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && it != end; it.increment(error))
        entries.push_back(it->path());
    std::sort(entries.begin(), entries.end());
    for (const fs::path& entry : entries) {
        if (fs::is_directory(entry, error) && depth > 1)
            addFolder(entry, depth - 1, files);
        else if (fs::is_regular_file(entry, error))
            files.push_back({entry, false});
    }
}

std::vector<Candidate> expand(const std::vector<fs::path>& paths) {
    std::vector<Candidate> files;
    std::error_code error;
    for (const fs::path& path : paths) {
        if (fs::is_directory(path, error))
            addFolder(path, 3, files);
        else
            files.push_back({path, true});
    }
    return files;
}

/// In a folder only files whose ending can be an artefact's are looked into.
bool mayBeArtefact(const fs::path& path) {
    static const std::set<std::string> endings{".json", ".csv", ".txt", ".ini", ".mpool", ".dot", ".gz", ".log"};
    return endings.contains(path.extension().string());
}

Result<Piece> readPiece(const fs::path& path) {
    const auto text = loadFile(path);
    if (!text)
        return fail(text.error());
    const ArtefactKind kind = kindOf(*text);
    if (kind == ArtefactKind::Unknown)
        return fail(
            makeError("PW5019", "this is none of the artefacts that can be opened", {path.string(), 0, 0, {}},
                      "c_info.json, --csv-file, *_generate_report.txt, atonn_options.ini, .mpool, .dot, report JSON"));
    auto report = readArtefact(kind, *text, path.string());
    if (!report)
        return fail(report.error());
    return Piece{kind, path.string(), std::move(*report)};
}

/// Findings about files in a folder are warnings: the others may still do.
Result<std::vector<Piece>> readPieces(const std::vector<Candidate>& files, Diagnostics& warnings) {
    std::vector<Piece> pieces;
    for (const Candidate& file : files) {
        if (!file.named && !mayBeArtefact(file.path))
            continue;
        auto piece = readPiece(file.path);
        if (piece) {
            pieces.push_back(std::move(*piece));
            continue;
        }
        if (file.named)
            return fail(piece.error());
        for (Diagnostic diagnostic : piece.error())
            if (diagnostic.code != "PW5019") {
                diagnostic.severity = Severity::Warning;
                warnings.push_back(std::move(diagnostic));
            }
    }
    return pieces;
}

/// One pseudo epoch more or less is still the same run: a report text does not list those at the ends.
bool isSameRun(const Report& base, const Report& other) {
    if (base.epochs.empty() || other.epochs.empty())
        return true;
    return std::max(base.epochs.size(), other.epochs.size()) - std::min(base.epochs.size(), other.epochs.size()) <= 1;
}

bool isPool(const Piece& piece) {
    return piece.kind == ArtefactKind::Mpool;
}

/// A pool file that does not know the base's pools (another board's, found in the same folder) is left out.
bool describesPoolsOf(const Report& base, const Report& other) {
    return std::any_of(other.pools.begin(), other.pools.end(), [&base](const Pool& pool) {
        return std::any_of(base.pools.begin(), base.pools.end(),
                           [&pool](const Pool& own) { return own.name == pool.name; });
    });
}

/// The raw and the front end's c_info, the generate and the analyze report: two files that say the same.
bool saysTheSame(const Report& a, const Report& b) {
    return a.buffers == b.buffers && std::equal(a.epochs.begin(), a.epochs.end(), b.epochs.begin(), b.epochs.end(),
                                                [](const Epoch& x, const Epoch& y) {
                                                    return x.kind == y.kind && x.vendorCycles == y.vendorCycles;
                                                });
}

/// Index of the earlier piece of the same kind, or -1: of each kind one file is joined.
int earlierOfKind(const std::vector<Piece>& pieces, std::size_t index) {
    for (std::size_t i = 0; i < index; ++i)
        if (pieces[i].kind == pieces[index].kind && rankOf(pieces[i]) == rankOf(pieces[index]))
            return int(i);
    return -1;
}

/// Graphs of the earlier stages and the pool file before the dump belong to the run without saying the same.
bool mayComeTwice(const Piece& piece) {
    return piece.kind == ArtefactKind::Dot || piece.kind == ArtefactKind::Mpool ||
           piece.kind == ArtefactKind::OptionsIni;
}

Diagnostic leftOut(const Piece& piece, const Piece& taken) {
    return makeWarning("PW5016",
                       std::string("left out: this ") + kindName(piece.kind) + " is of another run than " + taken.path,
                       {piece.path, 0, 0, {}}, "name the files of one run");
}

Report joinPieces(const std::vector<Piece>& pieces) {
    Report base = pieces.front().report;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        const int earlier = earlierOfKind(pieces, i);
        if (earlier >= 0) {
            if (!mayComeTwice(piece) && !saysTheSame(pieces[std::size_t(earlier)].report, piece.report))
                base.diagnostics.push_back(leftOut(piece, pieces[std::size_t(earlier)]));
            continue;
        }
        const bool otherPools = isPool(piece) && !base.pools.empty() && !describesPoolsOf(base, piece.report);
        if (!isSameRun(base, piece.report) || otherPools)
            base.diagnostics.push_back(leftOut(piece, pieces.front()));
        else
            join(base, piece.report);
    }
    if (pieces.size() > 1 || pieces.front().kind != ArtefactKind::ReportJson)
        finish(base);
    return base;
}

} // namespace

ArtefactKind kindOf(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos)
        return ArtefactKind::Unknown;
    if (text[begin] == '{')
        return kindOfJson(text);
    const std::string head = text.substr(begin, 4096);
    if (head.starts_with("epochs,") || head.starts_with("epochs ,"))
        return ArtefactKind::Csv;
    if (head.starts_with("digraph") || head.starts_with("strict digraph"))
        return ArtefactKind::Dot;
    if (contains(head, "# Version atonn.") || contains(head, "# Version poolwright."))
        return ArtefactKind::OptionsIni;
    if (contains(text, "Memory usage information") || contains(text, "Epochs details"))
        return ArtefactKind::GenerateReport;
    return contains(text, "| epoch_") && contains(text, "PASS:") ? ArtefactKind::GenerateReport : ArtefactKind::Unknown;
}

const char* kindName(ArtefactKind kind) {
    switch (kind) {
    case ArtefactKind::ReportJson:
        return "report JSON";
    case ArtefactKind::CInfo:
        return "c_info";
    case ArtefactKind::Csv:
        return "csv";
    case ArtefactKind::GenerateReport:
        return "generate report";
    case ArtefactKind::OptionsIni:
        return "options file";
    case ArtefactKind::Mpool:
        return "pool file";
    case ArtefactKind::Dot:
        return "dot graph";
    case ArtefactKind::Unknown:
        break;
    }
    return "unknown file";
}

Result<Report> readArtefact(ArtefactKind kind, const std::string& text, const std::string& path) {
    switch (kind) {
    case ArtefactKind::ReportJson:
        return fromJson(text, path);
    case ArtefactKind::CInfo:
        return readCInfo(text, path);
    case ArtefactKind::Csv:
        return readVendorCsv(text, path);
    case ArtefactKind::GenerateReport:
        return readGenerateReport(text, path);
    case ArtefactKind::OptionsIni:
        return readOptionsIni(text, path);
    case ArtefactKind::Mpool:
        return readSavedMpool(text, path);
    case ArtefactKind::Dot:
        return readDot(text, path);
    case ArtefactKind::Unknown:
        break;
    }
    return fail(makeError("PW5019", "this is none of the artefacts that can be opened", {path, 0, 0, {}}));
}

Result<Report> open(const std::vector<fs::path>& paths) {
    Diagnostics warnings;
    auto pieces = readPieces(expand(paths), warnings);
    if (!pieces)
        return fail(pieces.error());
    if (pieces->empty()) {
        warnings.push_back(makeError("PW5019", "there is no artefact to open",
                                     {paths.empty() ? std::string() : paths.front().string(), 0, 0, {}},
                                     "give a c_info.json, a csv, a generate report, or a folder with them"));
        return fail(warnings);
    }
    std::stable_sort(pieces->begin(), pieces->end(),
                     [](const Piece& a, const Piece& b) { return rankOf(a) < rankOf(b); });
    Report report = joinPieces(*pieces);
    report.diagnostics.insert(report.diagnostics.end(), warnings.begin(), warnings.end());
    return report;
}

} // namespace poolwright::artefacts
