namespace Tarn.Traces;

/// <summary>A place in a method.</summary>
/// <param name="Method">The id that the runtime gave the method; 0 if it is unknown.</param>
/// <param name="Place">The offset in the method's code as it was compiled from; -1 if it is unknown.</param>
internal readonly record struct CodePlace(long Method, int Place);
