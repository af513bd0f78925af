namespace Tarn;

/// <summary>
/// What is passed for the parameter belongs to the called method from then on: it returns or disposes it in its time, and the caller does
/// not. Read by Tarn's analyzer, which then expects no return from the caller; nothing reads it at run time.
/// </summary>
/// <remarks>
/// The analyzer goes by the name alone: a library that does not reference Tarn declares an attribute of this name for itself.
/// </remarks>
[AttributeUsage(AttributeTargets.Parameter, Inherited = false)]
public sealed class TakesOwnershipAttribute : Attribute;
