// The part of a lock file that a product's dependencies reach.

/**
 * Packages are found as Node finds them. npm's own marks would keep packages that only an optional peer names.
 * @param {{ packages: Record<string, any> }} lock content of a package-lock.json
 * @param {Record<string, any>} root entry of the product itself, with its `dependencies`
 */
export function reachedLock({ packages, ...lock }, root) {
  const reached = { '': root };
  const visit = (path, { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, ...entry }) => {
    const peers = Object.keys(peerDependencies).filter(
      (name) => !entry.peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = nearest(packages, path, name);
      if (found === null || found in reached) continue;
      const { dev: _dev, devOptional: either, ...kept } = packages[found];
      reached[found] = either === true ? { ...kept, optional: true } : kept;
      visit(found, packages[found]);
    }
  };
  visit('', root);
  const sorted = Object.entries(reached).sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

function nearest(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (found in packages) return found;
    if (folder === '') return null;
  }
}
