import { statfs } from 'node:fs/promises'

/** Throws if the disk has no room for so much, and some more. */
export async function checkRoom(folder: string, bytes: number): Promise<void> {
  const needed = 1.1 * bytes + 512 * 1024 ** 2
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
  if (free < needed)
    throw new Error(
      `${gigabytes(needed)} must be free on the disk of ${folder}, and only ${gigabytes(free)} are: free space there.`,
    )
}
