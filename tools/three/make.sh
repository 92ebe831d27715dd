#!/usr/bin/env bash
# Make exactcover/show/assets/vendor/three.js again: the part of three.js that the pages use, as one
# ES module. Nobody needs to run this, since the file is kept. It needs npm and the network:
#
#     make vendor
#
# To take a newer three.js, or another name of it: change package.json or names.js, and
# remove package-lock.json where a version changes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
vendor=../../exactcover/show/assets/vendor

if [ -f package-lock.json ]; then npm ci --ignore-scripts; else npm install --ignore-scripts; fi
version=$(node --print 'require("./node_modules/three/package.json").version')
node_modules/.bin/esbuild names.js --bundle --format=esm --minify --target=es2022 --charset=utf8 \
	--legal-comments=inline --outfile="$vendor/three.js" \
	--banner:js="/* three.js $version (https://threejs.org), MIT: three.LICENSE. Made by tools/three/make.sh. */"
cp node_modules/three/LICENSE "$vendor/three.LICENSE"
rm -rf node_modules
