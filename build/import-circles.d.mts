/**
 * Relative imports of a module, also re-exports and `import()` with a constant; imports of types alone are left out.
 * @param path decides by its ending how `text` is parsed
 */
export function valueImports(path: string, text: string): readonly string[];

/**
 * Circles of a graph, each as the list of its modules; the first imports the second, and the last imports the first.
 * @param imports module → modules that it imports
 */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[];
