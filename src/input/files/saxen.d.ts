declare module "saxen" {
  type Attributes = () => Readonly<Record<string, string>>;
  type Decode = (text: string) => string;

  /** Knows the five entities of XML and characters by their number; no other, so that none can grow. */
  export class Parser {
    on(event: "openTag", handler: (name: string, attributes: Attributes, decode: Decode) => void): this;
    on(event: "closeTag", handler: (name: string) => void): this;
    on(event: "text", handler: (text: string, decode: Decode) => void): this;
    on(event: "cdata", handler: (text: string) => void): this;
    on(event: "error", handler: (error: Error) => void): this;
    on(event: "warn", handler: () => void): this;
    parse(xml: string): void;
    stop(): void;
  }
}
