// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Software epochs: the operator's reference meaning on views, carried out by the CPU.
namespace poolwright::lower {

/// The whole node in software; `refusal` ("rule; rewrite") becomes the epoch's reason. Fails under
/// --disable-sw-fallback.
Result<void> softwareStep(Context& context, NodeId node, const Refusal& refusal);

/// One software call on given views.
Result<void> softwareCall(Context& context, NodeId node, ir::OpKind kind, const ir::Attributes& attributes,
                          std::vector<program::TensorView> inputs, std::vector<program::TensorView> outputs,
                          const Refusal& refusal);

/// Why a kind never runs on units, as "rule; rewrite"; empty for kinds that can.
Refusal refuseKind(ir::OpKind kind);

/// Name of the runtime's routine for a kind, as network.c calls it.
std::string softwareFunction(ir::OpKind kind);

} // namespace poolwright::lower
