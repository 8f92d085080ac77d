# SPDX-License-Identifier: Apache-2.0
"""The cases of the single-operator suite, one module for each class of operators."""
