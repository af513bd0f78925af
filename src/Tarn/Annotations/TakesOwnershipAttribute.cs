namespace Tarn;

/// <summary>
/// Marks a parameter through which the called method takes ownership of a buffer: the method returns or disposes it later, and the caller
/// must not. Tarn's analyzer reads the attribute and then expects no return from the caller. Nothing reads it at run time.
/// </summary>
/// <remarks>
/// The analyzer matches the attribute by name: a library that does not reference Tarn can declare its own attribute of this name.
/// </remarks>
[AttributeUsage(AttributeTargets.Parameter, Inherited = false)]
public sealed class TakesOwnershipAttribute : Attribute;
