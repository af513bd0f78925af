namespace Tarn;

/// <summary>
/// A snapshot that differs after every use of the class: rents and exchanges only grow, and every return changes the number of free
/// buffers.
/// </summary>
internal readonly record struct ClassActivity(long Rented, long Outflow, int Free)
{
    /// <summary>
    /// Compares the fields directly. The compiler's version requests comparers, which are objects, and a return that makes room may have no
    /// memory for them.
    /// </summary>
    public bool Equals(ClassActivity other) => Rented == other.Rented && Outflow == other.Outflow && Free == other.Free;

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Rented, Outflow, Free);
}
