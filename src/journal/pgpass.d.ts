declare module "pgpass" {
  export default function pgpass(
    of: { host: string; port: number; user: string; database: string },
    found: (password: string | undefined) => void,
  ): void;
}
