namespace Tarn;

/// <summary>
/// Marks a secret: a buffer that contained it must be cleared before it goes back to its pool. Tarn's analyzer reads the attribute. Nothing
/// reads it at run time.
/// </summary>
/// <remarks>
/// The analyzer matches the attribute by name: a library that does not reference Tarn can declare its own attribute of this name.
/// </remarks>
[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.Field | AttributeTargets.Property, Inherited = false)]
public sealed class SensitiveBufferAttribute : Attribute;
