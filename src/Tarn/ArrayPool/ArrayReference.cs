namespace Tarn;

/// <summary>
/// A reference in a magazine. Wrapped in a struct because storing into an array of a class type checks the type every time.
/// </summary>
internal struct ArrayReference
{
    internal Array? Value;

    /// <summary>A magazine with so many slots; null when there is no memory for it.</summary>
    internal static ArrayReference[]? TryMake(int slots)
    {
        try
        {
            return new ArrayReference[slots];
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }
}
