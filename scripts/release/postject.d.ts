declare module "postject" {
  export function inject(
    file: string,
    resource: string,
    content: Buffer,
    options: { sentinelFuse: string; machoSegmentName?: string },
  ): Promise<void>;
}
