// What compiled functions call besides Math.

/** An array of the values of a function of the place. */
function map(size, value) {
  const found = new Float64Array(size);
  for (let i = 0; i < size; i++) found[i] = value(i);
  return found;
}

/** The product of a row of a matrix, which begins at a place, and a vector. */
function dot(matrix, begin, vector) {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += matrix[begin + i] * vector[i];
  return sum;
}

/** The nearest whole number; of two, the even one. */
function even(value) {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}
