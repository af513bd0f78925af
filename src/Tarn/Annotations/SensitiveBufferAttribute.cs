namespace Tarn;

/// <summary>
/// What is held here is a secret: a buffer that it was in is to be cleared before its pool gets it back.
/// Read by Tarn's analyzer; nothing reads it at run time.
/// </summary>
/// <remarks>
/// The analyzer goes by the name alone: a library that does not reference Tarn declares an attribute of this name for itself.
/// </remarks>
[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.Field | AttributeTargets.Property, Inherited = false)]
public sealed class SensitiveBufferAttribute : Attribute;
