using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Tarn.Sanitizing.Grafting;

/// <summary>Hides the compiled code of the pools' methods in an image, or says why that is not possible.</summary>
internal sealed class HiddenCode
{
    public HiddenCode(byte[] image, PEHeaders headers, PoolMethods methods)
    {
        try
        {
            var code = new ReadyToRunImage(image, headers);
            IsComposite = code.IsComposite;
            Obstacle = !code.IsCompiled ? "it has no compiled code"
                : code.IsComposite ? "its compiled code lies in an image that it shares with other assemblies"
                : !code.IsKnown ? $"its compiled code has the unknown version {code.Major}"
                : null;
            if (Obstacle is null)
            {
                var table = new InstanceTable(image, code.Instances.Offset, code.Instances.Size);
                Hidden = table.Hide(
                    [.. methods.Pools.Select(type => MetadataTokens.GetRowNumber(type))],
                    [.. methods.Rents.Concat(methods.Returns).Select(method => MetadataTokens.GetRowNumber(method))]);
                Instances = table.Count;
                Obstacle = Hidden == 0 ? "its table of generic methods names no method of a pool" : null;
            }
        }
        catch (GraftException exception)
        {
            Obstacle = exception.Message;
        }
    }

    /// <summary>The compiled instances of the pools' methods.</summary>
    public int Hidden { get; }

    /// <summary>All compiled instances of generic methods.</summary>
    public int Instances { get; }

    public bool IsComposite { get; }

    /// <summary>Why the code cannot stay; null if it can.</summary>
    public string? Obstacle { get; }
}
