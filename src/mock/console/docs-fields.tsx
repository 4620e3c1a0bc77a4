import type { JSX } from "hono/jsx/jsx-runtime";
import type { ConsoleTexts } from "../../i18n/en/console.ts";

/** What of a JSON Schema the contract uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface SchemaReader {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly words: ConsoleTexts["docs"];
}

const readName = ({ $ref = "" }: Schema): string => $ref.split("/").at(-1) ?? "";

/** The schema itself, where there is a reference to it. */
const resolveSchema = (schema: Schema, { schemas }: SchemaReader): Schema =>
  schema.$ref === undefined ? schema : (schemas[readName(schema)] ?? {});

function formatType(schema: Schema, reader: SchemaReader): string {
  const { words } = reader;
  if (schema.items) return words.arrayOf(readName(schema.items) || formatType(schema.items, reader));
  const { type, anyOf } = resolveSchema(schema, reader);
  if (anyOf) return anyOf.map((each) => formatType(each, reader)).join(words.or);
  const types = type === undefined ? [words.any] : [type].flat();
  return types.join(words.or);
}

const limits = ["format", "pattern", "minimum", "maxLength", "minItems", "maxItems"] as const;

function Values({ title, values }: { title: string; values: readonly unknown[] }): JSX.Element {
  return (
    <p class="values">
      <span class="dim">{title}</span>{" "}
      {values.map((value) => (
        <>
          <code>{String(value)}</code>{" "}
        </>
      ))}
    </p>
  );
}

function Field({ name, schema, isRequired, reader }: FieldProps): JSX.Element {
  const { words } = reader;
  const inner = resolveSchema(schema.items ?? schema, reader);
  const innerName = readName(schema.items ?? schema);
  const bounds = limits.flatMap((limit) => (schema[limit] === undefined ? [] : `${limit} ${schema[limit]}`));
  return (
    <>
      <tr>
        <th scope="row">
          <code>{name}</code>{" "}
          <span class={isRequired ? "warn" : "dim"}>{isRequired ? words.required : words.optional}</span>
        </th>
        <td class="dim">{formatType(schema, reader)}</td>
        <td>
          <span lang="en">{schema.description}</span>
          {schema.enum && <Values title={words.values} values={schema.enum} />}
          {schema.examples && <Values title={words.examples} values={schema.examples} />}
          {schema.default !== undefined && <Values title={words.default} values={[schema.default]} />}
          {bounds.length > 0 && <Values title={words.limits} values={bounds} />}
        </td>
      </tr>
      {inner.properties && (
        <tr class="inner">
          <td colspan={3}>
            <details>
              <summary>{words.fieldsOf(innerName || name)}</summary>
              <FieldTable schema={inner} reader={reader} />
            </details>
          </td>
        </tr>
      )}
    </>
  );
}
interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly reader: SchemaReader;
}

/** The fields of an object, those of objects inside it to be opened below each. */
export function FieldTable({ schema, reader }: { schema: Schema; reader: SchemaReader }): JSX.Element {
  const { words } = reader;
  const { properties = {}, required = [], oneOf } = resolveSchema(schema, reader);
  const name = readName(schema);
  return (
    <>
      {name && <p class="hint">{words.object(name)}</p>}
      <table class="schema">
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.type}</th>
            <th scope="col">{words.description}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(properties).map(([field, each]) => (
            <Field name={field} schema={each} isRequired={required.includes(field)} reader={reader} />
          ))}
        </tbody>
      </table>
      {oneOf && (
        <p class="hint">{words.oneOf(oneOf.flatMap((each) => each.required ?? []).join(words.or))}</p>
      )}
    </>
  );
}
