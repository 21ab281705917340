import { reservePort } from '../src/reserve-port.js';

// Reserves two of the ports from FIRST to END, prints them, and holds them until its input ends.
const range = { first: Number(process.env.FIRST), end: Number(process.env.END) };
console.log(JSON.stringify([await reservePort(range), await reservePort(range)]));
process.stdin.resume();
