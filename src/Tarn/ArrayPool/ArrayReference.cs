namespace Tarn;

/// <summary>A reference in a magazine. The struct avoids the type check that each store into an array of a class type makes.</summary>
internal struct ArrayReference
{
    internal Array? Value;

    /// <summary>Creates a magazine with this number of slots, or returns null if there is no memory for it.</summary>
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
