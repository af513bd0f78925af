namespace Tarn;

/// <summary>
/// A reference in a magazine. Wrapped in a struct because storing into an array of a class type checks the type every time.
/// </summary>
internal struct ArrayReference
{
    internal Array? Value;
}
