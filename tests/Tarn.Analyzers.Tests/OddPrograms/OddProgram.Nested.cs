namespace Tarn.Analyzers.Tests.OddPrograms;

/// <content>Statements that hold others.</content>
internal sealed partial class OddProgram
{
    private void WriteNested()
    {
        string name = Name("x");
        int kind = _random.Next(19);
        switch (kind)
        {
            case 0:
                Block($"if ({Condition()})", _scope.Inner());
                if (Chance(2))
                {
                    Block("else", _scope.Inner());
                }

                break;
            case 1:
                Block(
                    Pick(
                        $"while ({Condition()})",
                        "while (true)",
                        $"for (int {name} = 0; {name} < 3; {name}++)",
                        $"foreach (byte {name} in {Array()}!)",
                        $"for (; {Condition()}; total++)",
                        $"foreach (var ({name}, {name}b) in new Dictionary<int, int>())"),
                    _scope.Inner() with { IsInLoop = true });
                break;
            case >= 2 and <= 5:
                WriteLoopOrTry(kind);
                break;
            case 6:
                Scope used = _scope.Inner();
                used.Owners.Add(name);
                Block($"using (IMemoryOwner<byte> {name} = MemoryPool<byte>.Shared.Rent(total))", used);
                break;
            case 7:
                Block("lock (typeof(object))", _scope.Inner() with { IsLocked = true });
                break;
            case 8:
                WriteSwitch();
                break;
            case 9 or 10:
                WriteLabelled(name, isAtEnd: kind == 9);
                break;
            case >= 11 and <= 15 when _scope.MayNest:
                WriteFunction(kind, name);
                break;
            case 16 when _scope is { IsAsync: true, IsLocked: false }:
                Block($"await using (MemoryStream {name} = new())", _scope.Inner());
                break;
            case 17:
                Block(Pick("checked", "unchecked"), _scope.Inner());
                break;
            default:
                Block("", _scope.Inner());
                break;
        }
    }

    private void WriteLoopOrTry(int kind)
    {
        switch (kind)
        {
            case 2:
                Block("do", _scope.Inner() with { IsInLoop = true });
                _text.AppendLine($"while ({Condition()});");
                break;
            case 3:
                Block("try", _scope.Inner() with { MayYield = false });
                WriteCatches();
                break;
            case 4:
                Block("try", _scope.Inner());
                WriteFinally();
                break;
            default:
                Block("try", _scope.Inner() with { MayYield = false });
                WriteCatches();
                WriteFinally();
                break;
        }
    }

    /// <summary>A block that may go to its own end, or to its beginning.</summary>
    private void WriteLabelled(string name, bool isAtEnd)
    {
        if (!isAtEnd)
        {
            _text.AppendLine($"{name}: total++;");
        }

        Scope labelled = _scope.Inner();
        labelled.Labels.Add(name);
        Block("", labelled);
        if (isAtEnd)
        {
            _text.AppendLine($"{name}: total++;");
        }
    }

    /// <summary>Functions in the function.</summary>
    private void WriteFunction(int kind, string name)
    {
        switch (kind)
        {
            case 11:
                Function($"void {name}()", isAsync: false, result: null, "");
                _text.AppendLine($"{name}();");
                break;
            case 12:
                Function($"Func<int, int> {name} = {Name("y")} =>", isAsync: false, result: "total", "return total;");
                _text.AppendLine($"; total = {name}(3);");
                break;
            case 13:
                Function($"async Task<int> {name}()", isAsync: true, result: "total", "return total;");
                _text.AppendLine(_scope is { IsAsync: true, IsLocked: false } ? $"total = await {name}();" : $"_ = {name}();");
                break;
            case 14:
                Function($"Action {name} = delegate", isAsync: false, result: null, "");
                _text.AppendLine($"; {name}();");
                break;
            case 15 when !_scope.IsLocked:
                Function($"IEnumerable<int> {name}()", isAsync: false, result: null, "yield break;", isIterator: true);
                _text.AppendLine($"total += {name}().Count();");
                break;
            default:
                Block("", _scope.Inner());
                break;
        }
    }

    private void WriteCatches()
    {
        Scope caught = _scope.Inner() with { MayYield = false, IsHandler = true };
        switch (_random.Next(4))
        {
            case 0:
                Block("catch", caught);
                break;
            case 1:
                Block($"catch (IOException {Name("e")}) when ({Condition()})", caught.Inner());
                Block("catch (Exception)", caught.Inner(), "throw;");
                break;
            case 2:
                Block($"catch when (total > 3 && {Condition()})", caught);
                break;
            default:
                Block($"catch (Exception {Name("e")})", caught, Chance(2) ? "throw;" : "");
                break;
        }
    }

    /// <summary>A finally is left only at its end.</summary>
    private void WriteFinally() =>
        Block("finally", _scope.Inner() with { MayLeave = false, MayYield = false, IsInLoop = false, IsHandler = true, Labels = [] });

    private void WriteSwitch()
    {
        string name = Name("c");
        _text.AppendLine(Pick("switch (total)", $"switch ({Array()}?.Length)") + " {");
        Block("case 1: case 2:", _scope.Inner(), "break;");
        Block($"case > 5 when {Condition()}:", _scope.Inner(), Pick("break;", "goto default;", "goto case 1;"));
        Block($"case int {name} when {name} < 3:", _scope.Inner(), "break;");
        Block("default:", _scope.Inner(), "break;");
        _text.AppendLine("}");
    }

    private void Function(string head, bool isAsync, string? result, string end, bool isIterator = false)
    {
        Scope inner = _scope.Inner() with
        {
            IsAsync = isAsync,
            IsIterator = isIterator,
            IsLocked = false,
            IsInLoop = false,
            IsHandler = false,
            MayLeave = true,
            MayYield = true,
            Result = result,
            Labels = [],
            HasFields = _scope is { HasFields: true, MayCaptureFields: true },
        };
        Block(head, inner, end);
    }

    private void Block(string head, Scope scope, string end = "")
    {
        Scope outer = _scope;
        _scope = scope;
        _text.Append(head).AppendLine(" {");
        for (int i = _random.Next(4); i >= 0; i--)
        {
            WriteStatement();
        }

        _text.Append(end).AppendLine("}");
        _scope = outer;
    }
}
