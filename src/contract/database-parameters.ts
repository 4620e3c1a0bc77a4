type Env = Readonly<Record<string, string | undefined>>;

interface Parameter {
  /** The variable that says it where the address does not. */
  variable?: string;
  /** The only values that bpos accepts; without it, any. */
  values?: RegExp;
}

const nothing = /^$/;
const tlsVersion = /^TLSv1(\.[123])?$/;
const method = "(none|password|md5|gss|sspi|scram-sha-256|oauth)";
const methods = new RegExp(`^(${method}(,${method})*|!${method}(,!${method})*)$`);

/**
 * Parameters of an address as libpq knows them. None that asks for safety is passed over: what bpos does not do, it refuses by name.
 * Not here, and so unknown in an address: what nothing else stands for, such as `replication`.
 */
const parameters: Readonly<Record<string, Parameter>> = {
  // Done as they say.
  host: {},
  port: {},
  dbname: {},
  user: {},
  password: {},
  options: {},
  ssl: {},
  sslmode: {},
  sslrootcert: {},
  sslcert: {},
  sslkey: {},
  channel_binding: { variable: "PGCHANNELBINDING", values: /^(disable|prefer|require)$/ },
  require_auth: { variable: "PGREQUIREAUTH", values: methods },
  ssl_min_protocol_version: { variable: "PGSSLMINPROTOCOLVERSION", values: tlsVersion },
  ssl_max_protocol_version: { variable: "PGSSLMAXPROTOCOLVERSION", values: tlsVersion },
  // A journal is always on a server that takes writes, and one host is all there is.
  target_session_attrs: {
    variable: "PGTARGETSESSIONATTRS",
    values: /^(any|read-write|primary|prefer-standby)$/,
  },
  load_balance_hosts: {},
  // Never done: fine where that is what is asked for, or allowed.
  gssencmode: { variable: "PGGSSENCMODE", values: /^(disable|prefer)$/ },
  sslnegotiation: { variable: "PGSSLNEGOTIATION", values: /^postgres$/ },
  sslcertmode: { variable: "PGSSLCERTMODE", values: /^allow$/ },
  sslsni: { variable: "PGSSLSNI", values: /^1$/ },
  requiressl: { variable: "PGREQUIRESSL", values: /^0$/ },
  min_protocol_version: { variable: "PGMINPROTOCOLVERSION", values: /^3\.0$/ },
  sslcrl: { variable: "PGSSLCRL", values: nothing },
  sslcrldir: { variable: "PGSSLCRLDIR", values: nothing },
  requirepeer: { variable: "PGREQUIREPEER", values: nothing },
  hostaddr: { variable: "PGHOSTADDR", values: nothing },
  service: { variable: "PGSERVICE", values: nothing },
  // Without effect here, but in the addresses that services give.
  application_name: {},
  fallback_application_name: {},
  client_encoding: {},
  connect_timeout: {},
  keepalives: {},
  keepalives_idle: {},
  keepalives_interval: {},
  keepalives_count: {},
  tcp_user_timeout: {},
  sslcompression: {},
  max_protocol_version: {},
};

/** Returns the value of a parameter in the address, else that of its variable. */
export function databaseParameter(address: URL, env: Env, name: string): string | undefined {
  const variable = parameters[name]?.variable ?? "";
  return (address.searchParams.get(name) || env[variable])?.replaceAll(" ", "") || undefined;
}

/** The first parameter of an address, or variable, that bpos does not know or cannot do as it says. */
export function parameterFault({ searchParams }: URL, env: Env) {
  const unknown = [...searchParams.keys()].find((each) => !Object.hasOwn(parameters, each));
  if (unknown !== undefined) return { kind: "parameter_unknown", name: unknown } as const;
  for (const [name, { variable = "", values }] of Object.entries(parameters)) {
    const given = searchParams.get(name);
    const said = (given || env[variable])?.replaceAll(" ", "");
    if (said && values?.test(said) === false)
      return { kind: "parameter_refused", name: given ? name : variable } as const;
  }
  return undefined;
}
