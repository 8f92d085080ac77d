// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "golden/pack.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <fnmatch.h>

#include <algorithm>
#include <map>

namespace poolwright::golden {

namespace {

ir::ElementType elementTypeOf(const QString& numpyName) {
    static const std::map<QString, ir::ElementType> types = {
        {"bool", ir::ElementType::Bool},   {"int8", ir::ElementType::Int8},      {"uint8", ir::ElementType::UInt8},
        {"int16", ir::ElementType::Int16}, {"uint16", ir::ElementType::UInt16},  {"int32", ir::ElementType::Int32},
        {"int64", ir::ElementType::Int64}, {"float32", ir::ElementType::Float32}};
    return types.at(numpyName);
}

QByteArray slice(const QByteArray& blob, const QJsonValue& range) {
    return blob.mid(range[0].toInt(), range[1].toInt());
}

std::vector<NamedValue> valuesOf(const QJsonValue& list, const QByteArray& blob) {
    std::vector<NamedValue> values;
    for (const QJsonValue& entry : list.toArray()) {
        NamedValue named{entry["name"].toString().toStdString(), {}};
        named.value.type = elementTypeOf(entry["type"].toString());
        for (const QJsonValue& extent : entry["shape"].toArray())
            named.value.shape.push_back(extent.toInt());
        const QByteArray bytes = slice(blob, entry["data"]);
        named.value.bytes.assign(bytes.begin(), bytes.end());
        values.push_back(std::move(named));
    }
    return values;
}

Case caseOf(const QJsonValue& entry, const QByteArray& blob) {
    return {.name = entry["name"].toString().toStdString(),
            .op = entry["operator"].toString().toStdString(),
            .domain = entry["domain"].toString().toStdString(),
            .opset = entry["opset"].toInt(),
            .model = slice(blob, entry["model"]).toStdString(),
            .inputs = valuesOf(entry["inputs"], blob),
            .outputs = valuesOf(entry["outputs"], blob)};
}

} // namespace

std::vector<Case> readPack(const std::filesystem::path& path) {
    const std::string file = test::readFile(path);
    const QByteArray content = qUncompress(reinterpret_cast<const uchar*>(file.data()), int(file.size()));
    if (content.size() < 4)
        return {};
    int indexSize = 0;
    for (int byte = 3; byte >= 0; --byte)
        indexSize = indexSize << 8 | uchar(content[byte]);
    const QJsonDocument index = QJsonDocument::fromJson(content.mid(4, indexSize));
    const QByteArray blob = content.mid(4 + indexSize);
    std::vector<Case> cases;
    for (const QJsonValue& entry : index["cases"].toArray())
        cases.push_back(caseOf(entry, blob));
    return cases;
}

std::vector<Case> readPacks(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".pack")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Case> all;
    for (const auto& file : files) {
        std::vector<Case> cases = readPack(file);
        std::move(cases.begin(), cases.end(), std::back_inserter(all));
    }
    return all;
}

std::vector<Difference> readDifferences(const std::filesystem::path& path) {
    static const std::map<QString, Difference::Stage> stages = {{"import", Difference::Stage::Import},
                                                                {"reference", Difference::Stage::Reference},
                                                                {"compile", Difference::Stage::Compile},
                                                                {"emulation", Difference::Stage::Emulation}};
    std::vector<Difference> differences;
    for (const QString& line : QString::fromStdString(test::readFile(path)).split('\n', Qt::SkipEmptyParts)) {
        const QStringList parts = line.split(" | ");
        if (!line.startsWith('#') && parts.size() == 3)
            differences.push_back(
                {parts[0].trimmed().toStdString(), stages.at(parts[1].trimmed()), parts[2].trimmed().toStdString()});
    }
    return differences;
}

const Difference* differenceOf(const std::vector<Difference>& differences, const std::string& name,
                               Difference::Stage stage) {
    const auto matches = [&](const Difference& difference) {
        return difference.stage == stage && fnmatch(difference.pattern.c_str(), name.c_str(), 0) == 0;
    };
    const auto found = std::find_if(differences.begin(), differences.end(), matches);
    return found == differences.end() ? nullptr : &*found;
}

} // namespace poolwright::golden
