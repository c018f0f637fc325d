// Lets the conformance suite run on Node 20: `node --import ./old-node.mjs …`.
import { register } from 'node:module';

const shim = new URL('./fs-with-glob.mjs', import.meta.url).href;
const hooks = `export async function resolve(specifier, context, next) {
  if (specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')) return { url: ${JSON.stringify(shim)}, shortCircuit: true };
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
