declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici";
}
declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}
declare module "undici/lib/dispatcher/proxy-agent.js" {
  export { ProxyAgent as default } from "undici";
}
declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher as D } from "undici";
  export default function connect(this: D, options: D.ConnectOptions): Promise<D.ConnectData>;
}
