# For test frameworks that build with make, as OpenBench does (protocol-docs/openbench.md); everybody else needs only cargo.
#
#   make EXE=NAME   builds the engine, in release mode, as the file NAME
#   make            builds the engine as sanqi and the match runner as fastchess, the name that OpenBench looks for
#
# CXX, CC and EVALFILE are accepted and mean nothing here: the compiler is cargo's, and there is no network.
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
EXE ?= sanqi
# A worker that builds many versions need not build their dependencies each time.
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

.PHONY: all engine runner
ifeq ($(origin EXE),command line)
all: engine
else
all: engine runner
endif

engine:
	cargo build --release --locked --package sanqi --bin sanqi --target-dir $(TARGET_DIR)
	cp $(TARGET_DIR)/release/sanqi$(SUFFIX) $(EXE:.exe=)$(SUFFIX)

# After the engine: two cargos at once would only wait for each other.
runner: engine
	cargo build --release --locked --package sanqi-adapter --bin sanqi-adapter --target-dir $(TARGET_DIR)
	cp $(TARGET_DIR)/release/sanqi-adapter$(SUFFIX) fastchess$(SUFFIX)
