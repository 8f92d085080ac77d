// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "golden/pack.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <fnmatch.h>

#include <algorithm>
#include <fstream>
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

ir::Shape shapeOf(const QJsonValue& list) {
    ir::Shape shape;
    for (const QJsonValue& extent : list.toArray())
        shape.push_back(extent.toInt());
    return shape;
}

std::vector<NamedValue> valuesOf(const QJsonValue& list, const QByteArray& blob) {
    std::vector<NamedValue> values;
    for (const QJsonValue& entry : list.toArray()) {
        NamedValue named{entry["name"].toString().toStdString(), entry["source"].toString().toStdString(), {}};
        named.value.type = elementTypeOf(entry["type"].toString());
        named.value.shape = shapeOf(entry["shape"]);
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
            .alone = entry["alone"].toBool(true),
            .model = slice(blob, entry["model"]).toStdString(),
            .inputs = valuesOf(entry["inputs"], blob),
            .outputs = valuesOf(entry["outputs"], blob)};
}

std::vector<SampledTensor> samplesOf(const QJsonValue& list) {
    std::vector<SampledTensor> tensors;
    for (const QJsonValue& entry : list.toArray()) {
        SampledTensor tensor{.name = entry["name"].toString().toStdString(),
                             .source = entry["source"].toString().toStdString(),
                             .type = elementTypeOf(entry["type"].toString()),
                             .shape = shapeOf(entry["shape"]),
                             .crc32 = std::uint32_t(entry["crc32"].toDouble()),
                             .stride = entry["stride"].toInt(),
                             .values = {}};
        for (const QJsonValue& value : entry["values"].toArray())
            tensor.values.push_back(value.toDouble());
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

/// The index and the data behind it; empty ones when the file is absent or damaged.
std::pair<QJsonDocument, QByteArray> unpack(const std::filesystem::path& path) {
    const std::string file = test::readFile(path);
    const QByteArray content = qUncompress(reinterpret_cast<const uchar*>(file.data()), int(file.size()));
    if (content.size() < 4)
        return {};
    int indexSize = 0;
    for (int byte = 3; byte >= 0; --byte)
        indexSize = indexSize << 8 | uchar(content[byte]);
    return {QJsonDocument::fromJson(content.mid(4, indexSize)), content.mid(4 + indexSize)};
}

} // namespace

std::vector<Case> readPack(const std::filesystem::path& path) {
    const auto [index, blob] = unpack(path);
    std::vector<Case> cases;
    for (const QJsonValue& entry : index["cases"].toArray())
        cases.push_back(caseOf(entry, blob));
    return cases;
}

std::vector<SampledModel> readModels(const std::filesystem::path& path) {
    const QJsonDocument index = unpack(path).first;
    std::vector<SampledModel> models;
    for (const QJsonValue& entry : index["models"].toArray())
        models.push_back({.file = entry["file"].toString().toStdString(),
                          .refused = entry["refused"].toString().toStdString(),
                          .outputs = samplesOf(entry["outputs"]),
                          .tensors = samplesOf(entry["tensors"])});
    return models;
}

std::map<std::string, Corrections> readCorrections(const std::filesystem::path& path) {
    std::map<std::string, Corrections> corrections;
    const QJsonObject models = unpack(path).first.object();
    for (auto model = models.begin(); model != models.end(); ++model) {
        const QJsonObject tensors = model->toObject();
        for (auto tensor = tensors.begin(); tensor != tensors.end(); ++tensor)
            for (const QJsonValue& entry : tensor->toArray())
                corrections[model.key().toStdString()][tensor.key().toStdString()].push_back(
                    {entry[0].toInt(), entry[1].toInt()});
    }
    return corrections;
}

bool writeCorrections(const std::filesystem::path& path, const std::map<std::string, Corrections>& corrections) {
    QJsonObject models;
    for (const auto& [model, byTensor] : corrections) {
        QJsonObject tensors;
        for (const auto& [name, list] : byTensor) {
            QJsonArray entries;
            for (const Correction& correction : list)
                entries.append(QJsonArray{qint64(correction.index), correction.by});
            if (!list.empty())
                tensors[QString::fromStdString(name)] = entries;
        }
        models[QString::fromStdString(model)] = tensors;
    }
    const QByteArray index = QJsonDocument(models).toJson(QJsonDocument::Compact);
    QByteArray content;
    for (int byte = 0; byte < 4; ++byte)
        content.append(char(index.size() >> (8 * byte)));
    const QByteArray packed = qCompress(content + index, 9);
    std::ofstream file(path, std::ios::binary);
    file.write(packed.constData(), packed.size());
    return file.good();
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
                                                                {"emulation", Difference::Stage::Emulation},
                                                                {"graph", Difference::Stage::Graph}};
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
