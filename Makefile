.PHONY: help demo test test-long check bench install clean browser browsers packages

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1	\2/p' Makefile | expand -t 16

demo: browser ## run the sample suite, and a few commands by hand
	scripts/demo

test: browsers packages ## `make check`, after installing the browsers and packages that are missing
	cargo --locked xtask check

check: ## format, crate edges, generated files, lints, page scripts, tests
	cargo --locked xtask check

test-long: browsers packages ## `make test` with the long tests: corpora, and what is repeated many times
	cargo --locked xtask check --long

bench: ## measure assay beside other tools (bench/README.md)
	cargo xtask bench

install: ## put `assay` into cargo's bin folder
	cargo install --path crates/assay --locked

clean: ## remove everything that was built
	cargo clean

browser:
	@scripts/ensure-browser

browsers:
	@scripts/ensure-browser --all

packages: browsers
	@scripts/ensure-packages
