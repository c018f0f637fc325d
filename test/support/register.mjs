// mocha loads a spec with require() first and falls back to import(): with require(ESM) on, tsx would
// hand out two instances of one module (one a loader), and `instanceof` and singletons would split.
Object.defineProperty(process.features, 'require_module', { value: false, configurable: true });
process.env.NODE_ENV = 'test';
