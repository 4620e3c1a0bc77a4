declare module "pgpass" {
  function pgpass(
    of: { host: string; port: number; user: string; database: string },
    found: (password: string | undefined) => void,
  ): void;
  namespace pgpass {
    function warnTo(stream: { writable: boolean }): void;
  }
  export default pgpass;
}
