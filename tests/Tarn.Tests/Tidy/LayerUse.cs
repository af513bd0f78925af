namespace Tarn.Tests.Tidy;

/// <summary>Code in one folder uses a type of another.</summary>
internal sealed record LayerUse(string From, string To, string File, string Type)
{
    public override string ToString() => $"{From} uses {To}: {File} uses {Type}";
}
