/** Schemas of the OpenAPI document as Python: each a `TypedDict` or an alias. */

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  /** Empty: the route is public. */
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const JSON_TYPE = 'application/json';
export const REF = '#/components/schemas/';
/** Names that mean something else in Python. */
const RENAMED: Readonly<Record<string, string>> = { Decimal: 'DecimalString', __schema0: 'JsonValue' };
/** Aliases of texts by which columns of a table are known. */
export const MONEY = 'DecimalString';
export const TIME = 'IsoTime';

export const MADE_BY = '# Made by `npm run build`: see build/python-client.ts.';

export const HEAD = (title: string) => `${MADE_BY}
"""${title}"""

from __future__ import annotations
`;

export const pascal = (text: string) =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

export const literal = (value: string | number | boolean | null): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
};

export const union = (parts: readonly string[]) => [...new Set(parts)].join(' | ');
/** One line of text, safe between triple quotes. */
export const doc = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll('\n', ' ').trim();

/** Collects the definitions in the order in which they are met. */
export class Types {
  readonly #schemas: OpenApi['components']['schemas'];
  readonly #definitions = new Map<string, string>();

  constructor(schemas: OpenApi['components']['schemas']) {
    this.#schemas = schemas;
  }

  /** The schema behind a reference. */
  resolved(schema: Schema): Schema {
    const name = schema.$ref?.slice(REF.length);
    return name === undefined ? schema : this.resolved(this.#schemas[name] ?? {});
  }

  component(key: string): void {
    const name = nameOf(key);
    const schema = this.#schemas[key] ?? {};
    if (this.#isRecursive(key)) this.#alias(name, 'Any', schema.description);
    else if (schema.properties !== undefined) this.object(name, schema);
    else this.#alias(name, this.expression(schema, name), schema.description);
  }

  /** @param name for inner types that have none of their own */
  expression(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return nameOf(schema.$ref.slice(REF.length));
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined)
      return union(variants.map((one, nth) => this.expression(one, variantName(name, one, nth))));
    if (schema.properties !== undefined) return this.object(name, schema);
    if (Array.isArray(schema.type))
      return union(schema.type.map((type: string) => this.expression({ ...schema, type }, name)));
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `list[${this.expression(schema.items ?? {}, `${name}Item`)}]`;
      case 'object': {
        const values = schema.additionalProperties;
        return `dict[str, ${typeof values === 'object' ? this.expression(values, `${name}Value`) : 'Any'}]`;
      }
      default:
        return 'Any';
    }
  }

  object(name: string, schema: Schema): string {
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties ?? {}).map(([field, value]): [string, string] => {
      const type = this.expression(value, `${name}${pascal(field)}`);
      return [field, required.has(field) ? type : `NotRequired[${type}]`];
    });
    const about = schema.description === undefined ? '' : `    """${doc(schema.description)}"""\n\n`;
    if (fields.every(([field]) => /^[A-Za-z_]\w*$/.test(field) && !PYTHON_WORDS.has(field))) {
      const lines = fields.map(([field, type]) => `    ${field}: ${type}`);
      const body = lines.length === 0 && about === '' ? '    pass' : lines.join('\n');
      this.#define(name, `@final\nclass ${name}(TypedDict):\n${about}${body}`);
    } else {
      const lines = fields.map(
        ([field, type]) => `        ${JSON.stringify(field)}: ${JSON.stringify(type)},`,
      );
      this.#define(name, `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)`);
    }
    return name;
  }

  text(): string {
    return [...this.#definitions.values()].map((text) => `\n${text}\n`).join('\n');
  }

  #alias(name: string, type: string, description?: string): void {
    const about = description === undefined ? '' : `\n"""${doc(description)}"""`;
    this.#define(name, `${name}: TypeAlias = "${type.replaceAll('"', "'")}"${about}`);
  }

  #define(name: string, text: string): void {
    const there = this.#definitions.get(name);
    if (there !== undefined && there !== text) throw new Error(`two Python types are called ${name}`);
    this.#definitions.set(name, text);
  }

  #isRecursive(key: string): boolean {
    return JSON.stringify(this.#schemas[key]).includes(`"${REF}${key}"`);
  }
}

const PYTHON_WORDS = new Set([
  'from',
  'import',
  'class',
  'def',
  'in',
  'is',
  'not',
  'pass',
  'None',
  'True',
  'False',
  'global',
  'return',
]);
export const nameOf = (key: string) => RENAMED[key] ?? pascal(key);

/** `ClosePosition` of the type `TWAP` → `ClosePositionTwap`. */
function variantName(name: string, { properties = {} }: Schema, nth: number): string {
  const kind = properties['type']?.const ?? properties['method']?.const;
  if (typeof kind === 'string') return `${name}${pascal(kind.toLowerCase())}`;
  return nth === 0 ? name : `${name}${nth + 1}`;
}

export const schemasModule = (types: Types) => `${HEAD(
  'Every object that the gateway takes and answers with. Money and quantities are texts, never floats.',
)}
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final

${types.text().trimEnd()}
`;
