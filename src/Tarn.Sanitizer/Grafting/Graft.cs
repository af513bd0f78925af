namespace Tarn.Sanitizing.Grafting;

/// <summary>A copy of System.Private.CoreLib whose array pools ask a hook first.</summary>
/// <param name="Image">The bytes of the file.</param>
/// <param name="Module">The id of the module, which is that of the original.</param>
/// <param name="Hidden">The compiled instances of the pools' methods that the runtime no longer finds.</param>
/// <param name="Instances">All compiled instances of generic methods.</param>
/// <param name="Obstacle">Why the copy has no compiled code at all and starts slower; null if it has.</param>
/// <param name="IsComposite">Whether other assemblies have the pools' code in a common image, so that none of it may be used.</param>
internal sealed record Graft(byte[] Image, Guid Module, int Hidden, int Instances, string? Obstacle, bool IsComposite);
