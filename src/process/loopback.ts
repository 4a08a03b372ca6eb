/** Whether only this machine can reach an address: 127.0.0.0/8, ::1, or the name that stands for them. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
