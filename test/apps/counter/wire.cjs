// Bytes of a message as a post writes it.
const { Serializer } = require('node:v8');

class Wire extends Serializer {
  _writeHostObject() {
    this.writeUint32(0);
  }
  _getSharedArrayBufferId() {
    return 0;
  }
}

/** @param transfer list, or options that have one @returns null for what is refused */
exports.wireBytes = (value, transfer) => {
  try {
    const wire = new Wire();
    wire.writeHeader();
    const listed = Array.isArray(transfer) ? transfer : (transfer?.transfer ?? []);
    for (const [id, one] of [...listed].entries())
      if (one instanceof ArrayBuffer) wire.transferArrayBuffer(id, one);
    wire.writeValue(value);
    return wire.releaseBuffer().length;
  } catch {
    return null;
  }
};
