// The numbers that the page holds: one deflated archive of arrays in base64.

/** A number in half precision, from its 16 bits. */
function fromHalf(bits) {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  if (exponent === 0) return sign * 2 ** -24 * fraction;
  return sign * 2 ** (exponent - 25) * (1024 + fraction);
}

const READERS = {
  u: (buffer, begin, size) => Float64Array.from(new Uint16Array(buffer, begin, size)),
  e: (buffer, begin, size) => Float64Array.from(new Uint16Array(buffer, begin, size), fromHalf),
  f: (buffer, begin, size) => Float64Array.from(new Float32Array(buffer, begin, size)),
  d: (buffer, begin, size) => new Float64Array(buffer, begin, size),
};

/** A function that reads the array at a place of an archive. */
async function openArchive(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const buffer = await new Response(inflated).arrayBuffer();
  return ([letter, begin, size]) => READERS[letter](buffer, begin, size);
}
